// Before each file of unit tests: threads are left to the next run of the process, since one takes longer to start and
// to compile than the tests' models take to train.
import { keepThreads } from '@orchard/pipeline';

keepThreads(60_000);
