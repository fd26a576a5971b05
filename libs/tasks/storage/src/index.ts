export {
  entriesBelow,
  largestPage,
  listAll,
  type ByteRange,
  type ListOptions,
  type ObjectEntry,
  type ObjectStore,
  type PutResult,
} from './object-store.js';
export { FilesystemStore } from './filesystem.js';
export { GuardedStore, type Outage } from './guarded-store.js';
export { arrayFor } from './array-for.js';
export { readWholeFile } from './file-bytes.js';
export { makeFolder } from './folders.js';
export {
  isRemote,
  remoteAddress,
  withoutSecret,
  type BucketAddress,
  type WebAddress,
} from './remote/remote-address.js';
export { openWebFile } from './remote/web-file.js';
export { LatestFailure } from './latest-failure.js';
export { StorageError, storageErrorCodes, type StorageErrorCode } from './errors.js';
