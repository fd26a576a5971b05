import {
  NoRoom,
  ResidentData,
  ThreadPool,
  type Call,
  type Compute,
  type Computations,
  type DataRequest,
  type ThreadPoolOptions,
} from '@orchard/pipeline';

/** For short tasks there are half as many places as threads: beside long ones they get a third of the cores. */
export const shortPlacesOf = (threads: number): number => Math.ceil(threads / 2);
/** Beside the memory for the data of all other tasks: what is soon done reads little. */
const shareOfMemory = 1 / 16;

interface Started {
  readonly threads: ThreadPool;
  readonly resident: ResidentData;
}

/**
 * Threads and data for short tasks, beside those of all others: long tasks are not interrupted, and short ones need not
 * wait for them, since the operating system shares the cores between both. Started with the first short task.
 */
export class ShortPlaces {
  readonly #limit: number;
  #started: Promise<Started> | null = null;
  #bytes = (): number => 0;

  /**
   * @param others where data go that are too large for these places
   * @param memoryBytes that the data of the others may take
   */
  constructor(
    private readonly options: ThreadPoolOptions & { readonly threads: number },
    private readonly others: Pick<ResidentData, 'compute'>,
    memoryBytes: number,
  ) {
    this.#limit = memoryBytes * shareOfMemory;
  }

  /** Of data in use, or about to be. */
  get bytes(): number {
    return this.#bytes();
  }

  /** Who computes short tasks for a family. */
  compute(computations: Computations): Compute {
    const own = async (): Promise<Compute> => (await this.#start()).resident.compute(computations);
    const call: Call = async (...given) => (await own()).call(...given);
    const withData = async <Result>(request: DataRequest, work: (call: Call) => Promise<Result>): Promise<Result> => {
      const found = await own();
      let isBegun = false;
      try {
        return await found.withData(request, (given) => {
          isBegun = true;
          return work(given);
        });
      } catch (error) {
        if (isBegun || !(error instanceof NoRoom)) throw error;
        return await this.others.compute(computations).withData(request, work);
      }
    };
    return { call, withData };
  }

  async close(): Promise<void> {
    const started = await this.#started?.catch(() => null);
    started?.resident.close();
    await started?.threads.close();
  }

  /** Where threads cannot start now, the next task tries again. */
  #start(): Promise<Started> {
    this.#started ??= ThreadPool.start(this.options).then(
      (threads) => {
        const resident = new ResidentData(threads, this.#limit);
        this.#bytes = () => resident.bytes;
        return { threads, resident };
      },
      (error: unknown) => {
        this.#started = null;
        throw error;
      },
    );
    return this.#started;
  }
}
