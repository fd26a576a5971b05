import { FilesystemStore, type ObjectStore } from '@orchard/storage';
import { S3Store, type S3Configuration } from '@orchard/storage/s3';
import type { ClusterSettings } from './environment.js';

type StoreSettings = Pick<
  ClusterSettings,
  'ORCHARD_STORE' | 'ORCHARD_S3_ENDPOINT' | 'ORCHARD_S3_PUBLIC_ENDPOINT' | 'ORCHARD_S3_REGION' | 'ORCHARD_S3_PATH_STYLE'
>;

/**
 * S3's configuration where the store is a bucket, otherwise null: then it is a folder. Credentials are the SDK's to
 * find.
 */
export function s3ConfigurationOf(settings: StoreSettings): S3Configuration | null {
  const publicEndpoint = settings.ORCHARD_S3_PUBLIC_ENDPOINT;
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/?(.*?)\/?$/.exec(settings.ORCHARD_STORE) ?? [];
  if (bucket === undefined) return null;
  return {
    bucket,
    ...(prefix !== undefined && prefix !== '' && { prefix }),
    ...(settings.ORCHARD_S3_ENDPOINT !== undefined && { endpoint: settings.ORCHARD_S3_ENDPOINT }),
    ...(publicEndpoint !== undefined && { publicEndpoint }),
    ...(settings.ORCHARD_S3_REGION !== undefined && { region: settings.ORCHARD_S3_REGION }),
    ...(settings.ORCHARD_S3_PATH_STYLE !== undefined && { pathStyle: settings.ORCHARD_S3_PATH_STYLE }),
  };
}

/**
 * The store that the environment names.
 *
 * @param onAttempt called for every request to S3, for metrics
 * @throws StorageError where it cannot be reached or written to
 */
export function openStore(settings: StoreSettings, onAttempt?: S3Configuration['onAttempt']): Promise<ObjectStore> {
  const s3 = s3ConfigurationOf(settings);
  if (s3 === null) return FilesystemStore.open(settings.ORCHARD_STORE.replace(/^file:\/\//, ''));
  return S3Store.open(onAttempt === undefined ? s3 : { ...s3, onAttempt });
}
