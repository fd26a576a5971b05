/**
 * Experts whose templates are composed by a rule (Gößling's thesis, ch. 3): rules, pursuit and EM, at one place or at
 * any shift and turn of an image. The family `compositional` makes its models with them.
 */
export { composedBy } from './composed-of-votes.js';
export { type Composing } from './composed.js';
export { abstainingOf, compositions, Experts, isExtremal, type Composition, type ExpertParts } from './experts.js';
export { stepOf, type EmStep } from './learn-experts.js';
export { placedStepOf, type PlacedStep } from './learn-placed.js';
export { PlacedExperts, type PlacedParts } from './placed-experts.js';
export { PlacedPursuit, type PlacedExplanation } from './placed-pursuit.js';
export { Placement, type PlacementParts } from './placement.js';
export { Places, type PlaceOptions } from './places.js';
export { Pursuit, type Explanation } from './pursuit.js';
export { pixelsOf, quadrants } from './quadrants.js';
export { oneByOne, placedStartOf, type OnlineRow } from './start-placed.js';
export { startOf, starts, type Start, type StartOptions } from './start-experts.js';
