import { useData, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineComponent, h } from 'vue';
import './style.css';

/** A screenshot from public/screenshots that matches the page's light or dark theme. */
const Screenshot = defineComponent({
  props: { name: { type: String, required: true }, alt: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const src = () => withBase(`/screenshots/${props.name}-${isDark.value ? 'dark' : 'light'}.webp`);
    return () => h('p', { class: 'screenshot' }, h('img', { src: src(), alt: props.alt, loading: 'lazy' }));
  },
});

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Screenshot', Screenshot),
} satisfies import('vitepress').Theme;
