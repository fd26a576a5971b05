// VitePress' own theme, and what pages of ours show beside text.
import DefaultTheme from 'vitepress/theme';
import { ScoreRows } from './score-rows.mjs';
import '../../src/scoring/scoring.css';

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => app.component('ScoreRows', ScoreRows),
};
