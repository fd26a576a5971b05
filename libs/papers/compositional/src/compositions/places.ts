/** Where the template of an expert may lie in an image. */
export interface PlaceOptions {
  /** Height and width of the image in each row. */
  readonly shape: readonly [number, number];
  /** Pixels up or down, and left or right, at most. */
  readonly shifts: number;
  /** Degrees each way, at most: a multiple of {@link TURN}. */
  readonly turns: number;
}

/** Degrees from one turn to the next. */
export const TURN = 10;
/** What rounding leaves of a coordinate: a half is always rounded up. */
const ROUNDING = 1e-9;

/**
 * Every transformation of a template (thesis, 3.3): turned about the middle of the image, then shifted. Its coordinates
 * are whole numbers on up to three axes (pixels down, pixels right, turns of ten degrees), of which those count that
 * vary at all. A pixel shows the nearest pixel of the template, and abstains where that lies beyond it.
 */
export class Places {
  /** T. */
  readonly count: number;
  /** Of each axis how far it goes each way. */
  readonly most: Int32Array;
  /** `coordinates[place * axes + axis]`. */
  readonly coordinates: Int32Array;
  /** `sources[place * D + column]`: the template's column that is shown there, -1 where none is. */
  readonly sources: Int32Array;

  /** @param options null: one place, of rows that need not be images */
  constructor(
    readonly dimensions: number,
    readonly options: PlaceOptions | null,
  ) {
    const { shifts = 0, turns = 0 } = options ?? {};
    const ranges = [shifts, shifts, turns / TURN];
    const axes = [0, 1, 2].filter((axis) => ranges[axis]! > 0);
    this.most = Int32Array.from(axes, (axis) => ranges[axis]!);
    const places: number[][] = [];
    for (let down = -shifts; down <= shifts; down++)
      for (let right = -shifts; right <= shifts; right++)
        for (let turn = -ranges[2]!; turn <= ranges[2]!; turn++) places.push([down, right, turn]);
    this.count = places.length;
    this.coordinates = Int32Array.from(places.flatMap((place) => axes.map((axis) => place[axis]!)));
    this.sources = new Int32Array(this.count * dimensions);
    places.forEach(([down, right, turn], place) => {
      const own = this.sources.subarray(place * dimensions, (place + 1) * dimensions);
      if (options === null)
        own.forEach((_, dim) => {
          own[dim] = dim;
        });
      else fillSources(own, options.shape, down!, right!, (turn! * TURN * Math.PI) / 180);
    });
  }

  /** The place at these coordinates, one per axis. */
  at(coordinates: Int32Array): number {
    return coordinates.reduce((place, own, axis) => {
      const most = this.most[axis]!;
      return place * (2 * most + 1) + own + most;
    }, 0);
  }

  /** Coordinates of a place, one per axis. */
  of(place: number): Int32Array {
    const axes = this.most.length;
    return this.coordinates.subarray(place * axes, (place + 1) * axes);
  }
}

/** Each pixel of the image turned back and shifted back, to the template's nearest. */
function fillSources(
  sources: Int32Array,
  [height, width]: readonly [number, number],
  down: number,
  right: number,
  angle: number,
): void {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [middleRow, middleColumn] = [(height - 1) / 2, (width - 1) / 2];
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [y, x] = [row - down - middleRow, column - right - middleColumn];
      const ownRow = Math.floor(cos * y - sin * x + middleRow + 1 / 2 + ROUNDING);
      const ownColumn = Math.floor(sin * y + cos * x + middleColumn + 1 / 2 + ROUNDING);
      const isInside = ownRow >= 0 && ownRow < height && ownColumn >= 0 && ownColumn < width;
      sources[row * width + column] = isInside ? ownRow * width + ownColumn : -1;
    }
}
