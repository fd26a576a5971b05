import { families } from '@orchard/registry';
import { describe, expect, it } from 'vitest';
import { contenderOf, furtherPresets, refuseTwice } from './contenders.js';

describe('an item of --models', () => {
  it('is a family as it is usually trained', () => {
    for (const family of families.all) {
      const { name, flags, folder, options } = contenderOf(family.name);
      expect([name, flags, folder, options]).toEqual([family.name, ['--model', family.name], family.name, {}]);
    }
  });

  it('has settings after colons, which orchard train is told in its own way', () => {
    const { flags, options, folder } = contenderOf('cutset: components=40 :weights=em');
    expect(flags).toEqual(['--model', 'cutset', '--components', '40', '--weights', 'em']);
    expect(options).toEqual({ components: 40, weights: 'em' });
    expect(folder).toBe('cutset-components=40-weights=em');
    expect(contenderOf('chow-liu:forest').options).toEqual({ forest: true });
    expect(contenderOf('lbarn:no-refit').options).toEqual({ refit: false });
    expect(contenderOf('lbarn:ordering=../order.txt').folder).toBe('lbarn-ordering=.._order.txt');
  });

  it('takes a preset by its name alone, of the families that have it', () => {
    expect(furtherPresets(contenderOf('lbarn').family)).toEqual(['paper', 'accurate', 'single-tree']);
    expect(furtherPresets(contenderOf('chow-liu').family)).toEqual([]);
    expect(contenderOf('lbarn:accurate').flags).toEqual(['--model', 'lbarn', '--preset', 'accurate']);
    expect(() => contenderOf('chow-liu:accurate')).toThrow(
      /--models chow-liu:accurate: got unknown option '--accurate'/,
    );
  });

  it.each([
    ['chowliu', /--models: got "chowliu", expected a kind of model.* Did you mean "chow-liu"\?$/],
    ['', /--models: got ""/],
    ['lbarn:leaves=0', /leaves/],
    ['lbarn:leaves', /got option '--leaves <J>' argument missing/],
    ['lbarn:leafs=3', /got unknown option '--leafs'/],
    ['lbarn:out=x', /got unknown option '--out'/],
  ])('%j is refused', (item, message) => {
    expect(() => contenderOf(item)).toThrow(message);
  });

  it('is refused where it is there twice', () => {
    const twice = ['lbarn', 'lbarn:leaves=4', 'lbarn: leaves=4'].map(contenderOf);
    expect(() => refuseTwice(twice)).toThrow('got lbarn:leaves=4 twice, expected each model once');
    refuseTwice(twice.slice(0, 2));
  });
});
