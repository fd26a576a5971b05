/** Which times of day are read, in words. */
export const TIMES_READ = 'times of day from 00:00 to 23:59, written as 08:30, 8:30 PM or 08:30:00.25';
