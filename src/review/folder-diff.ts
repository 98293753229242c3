import { type Folder, fileText } from '../files/folder.ts';
import { showHidden } from '../history/visible.ts';
import { pathInDiff, unifiedDiff } from '../text/text-diff.ts';

/** A unified diff of two folders, file by file, with hidden characters made visible. Empty if they are equal. */
export function diffFolders(before: Folder | undefined, after: Folder): string {
  const base: Folder = before ?? new Map();
  const paths = [...new Set([...base.keys(), ...after.keys()])].sort((left, right) =>
    left < right ? -1 : 1,
  );
  return showHidden(paths.map((path) => diffFile(path, base, after)).join(''));
}

function diffFile(path: string, before: Folder, after: Folder): string {
  const [old, now] = [fileText(before, path), fileText(after, path)];
  if (old === now) return '';
  if (old?.includes('\0') || now?.includes('\0')) return `binary file ${pathInDiff(path)} differs\n`;
  return unifiedDiff(path, old, now);
}
