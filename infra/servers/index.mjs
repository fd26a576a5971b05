export { findRedis, startRedis } from './redis.mjs';
export { findS3, startS3 } from './s3.mjs';
export { ServerUnavailable } from './unavailable.mjs';
