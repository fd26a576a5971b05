import { chowLiu } from '@orchard/chow-liu';
import { cutset } from '@orchard/cutset';
import { mixture } from '@orchard/forest-mixture';
import { lbarn } from '@orchard/lbarn';
import { marginals } from '@orchard/marginals';
import { Families } from '@orchard/pipeline';
import { sparn } from '@orchard/sparn';
import { tables } from '@orchard/tables';

/** The kinds of models that every program of this release knows. One that is added here is known everywhere. */
export const families = new Families([lbarn, marginals, tables, chowLiu, cutset, mixture, sparn]);
