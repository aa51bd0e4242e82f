import 'vuetify/styles';
import { createApp, h } from 'vue';
import { createVuetify } from 'vuetify';
import * as v from 'vuetify/components';

document.body.innerHTML = '<div id="app"></div>';
const App = {
  render: () =>
    h(v.VApp, () => [
      h(v.VAppBar, { title: 'Shop' }, { prepend: () => h(v.VAppBarNavIcon), append: () => h(v.VBtn, { icon: 'mdi-dots', 'aria-label': 'More' }) }),
      h(v.VMain, () => [
        h('h1', 'Order'), h(v.VTextField, { label: 'Name', clearable: true, hint: 'As in the passport' }), h(v.VTextarea, { label: 'Notes' }), h(v.VSelect, { label: 'Country', items: ['Austria', 'Belgium'], modelValue: 'Austria' }), h(v.VAutocomplete, { label: 'Town', items: ['Rome'] }), h(v.VCombobox, { label: 'Tags', multiple: true, chips: true, modelValue: ['a'], items: ['a'] }), h(v.VCheckbox, { label: 'I agree' }), h(v.VSwitch, { label: 'Wifi' }), h(v.VRadioGroup, { label: 'Pay', modelValue: 1 }, () => [h(v.VRadio, { label: 'Cash', value: 1 }), h(v.VRadio, { label: 'Card', value: 2 })]), h(v.VSlider, { label: 'Volume' }), h(v.VRating, { modelValue: 2 }), h(v.VFileInput, { label: 'File' }), h(v.VNumberInput, { label: 'Count' }),
        h(v.VBtn, () => 'Save'), h(v.VBtn, { disabled: true }, () => 'Off'), h(v.VBtn, { href: '/x' }, () => 'Link'), h(v.VBtn, { loading: true }, () => 'Busy'), h(v.VBtnToggle, () => [h(v.VBtn, () => 'Left'), h(v.VBtn, () => 'Right')]), h(v.VTabs, { modelValue: 1 }, () => [h(v.VTab, { value: 1 }, () => 'One'), h(v.VTab, { value: 2 }, () => 'Two')]), h(v.VExpansionPanels, () => h(v.VExpansionPanel, { title: 'More', text: 'Text' })), h(v.VPagination, { length: 4 }), h(v.VChip, { closable: true, link: true }, () => 'Tag'), h(v.VBreadcrumbs, { items: [{ title: 'Home', href: '/' }, { title: 'Here' }] }), h(v.VList, () => [h(v.VListItem, { title: 'Inbox', subtitle: '3 new', link: true }), h(v.VListItem, { title: 'Out', href: '/o' })]), h(v.VDataTable, { items: [{ name: 'Ada', age: 3 }], showSelect: true }), h(v.VAlert, { closable: true, text: 'Saved' }),
      ]),
    ]),
};
createApp(App).use(createVuetify({ components: v })).mount('#app');
