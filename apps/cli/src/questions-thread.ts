// The thread of `orchard answer` that models are asked in.
import { answerInThread } from '@orchard/questions/answer';
import { loadNetwork } from './rows/load-network.js';

answerInThread(async (path) => (await loadNetwork(path)).bytes);
