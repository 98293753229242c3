import { editFileTool } from './edit-file.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { searchFilesTool } from './search-files.ts';
import type { Tool } from './tool.ts';

/** The tools for the files of the working folder, in the order that the model sees them. */
export const FILE_TOOLS: readonly Tool[] = [readFileTool, listFilesTool, searchFilesTool, editFileTool];
