// Shows the page that scores rows, whose scripts are loaded where it is shown alone.
import { withBase } from 'vitepress';
import { h, onBeforeUnmount, onMounted, ref } from 'vue';

const places = __SCORING__;

export const ScoreRows = {
  setup() {
    const element = ref(null);
    let unmount = () => {};
    onMounted(async () => {
      const { mount } = await import(/* @vite-ignore */ withBase(places.page));
      const [worker, model, rows] = [places.worker, places.model, places.rows].map(withBase);
      if (element.value !== null) unmount = mount(element.value, { worker, model, rows });
    });
    onBeforeUnmount(() => unmount());
    return () => h('div', { ref: element }, h('noscript', 'This page needs JavaScript.'));
  },
};
