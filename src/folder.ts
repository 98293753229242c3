/** One regular file of a folder. `executable` is the git mode: 100755 or 100644. */
export interface FolderFile {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/**
 * A folder as a value: relative path (always `/`, never leading `./` or `..`) to file, sorted by path.
 * This is what the gate compares, what a revision writes and what an import checks.
 */
export type Folder = ReadonlyMap<string, FolderFile>;
