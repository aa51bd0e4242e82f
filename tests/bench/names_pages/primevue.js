import Aura from '@primeuix/themes/aura';
import PrimeVue from 'primevue/config';
import { Accordion, AccordionContent, AccordionHeader, AccordionPanel, Button, Checkbox, Column, DataTable, DatePicker, InputNumber, InputText, Menubar, MultiSelect, Password, RadioButton, Select, SelectButton, Slider, Tab, TabList, Tabs, ToggleButton, ToggleSwitch, Tree } from 'primevue';
import { createApp, h } from 'vue';

document.body.innerHTML = '<div id="app"></div>';
const labelled = (name, control, props = {}) => h('div', [h('label', { for: name }, name), h(control, { inputId: name, id: name, modelValue: undefined, ...props })]);
const App = {
  render: () => [
    h('h1', 'Order'), labelled('Name', InputText), labelled('Count', InputNumber, { showButtons: true }), labelled('Secret', Password, { toggleMask: true }), labelled('Day', DatePicker, { showIcon: true }), labelled('I agree', Checkbox, { binary: true }), labelled('Wifi', ToggleSwitch), labelled('Cash', RadioButton, { value: 1 }), h(Select, { options: ['a', 'b'], placeholder: 'Country', 'aria-label': 'Country' }), h(MultiSelect, { options: ['a', 'b'], placeholder: 'Many' }), h(Slider, { 'aria-label': 'Volume' }), h(SelectButton, { options: ['Day', 'Week'], 'aria-labelledby': 'x' }), h(ToggleButton, { onLabel: 'Bold', offLabel: 'Plain' }),
    h(Button, { label: 'Save' }), h(Button, { icon: 'pi pi-x', 'aria-label': 'Close' }), h(Button, { label: 'Off', disabled: true, badge: '2' }),
    h(Tabs, { value: '0' }, () => h(TabList, () => [h(Tab, { value: '0' }, () => 'One'), h(Tab, { value: '1' }, () => 'Two')])),
    h(Accordion, { value: '0' }, () => h(AccordionPanel, { value: '0' }, () => [h(AccordionHeader, () => 'More'), h(AccordionContent, () => 'Text')])),
    h(Menubar, { model: [{ label: 'File', items: [{ label: 'New' }] }, { label: 'Edit' }] }),
    h(DataTable, { value: [{ name: 'Ada' }], paginator: true, rows: 1, selectionMode: 'multiple', selection: [] }, () => [h(Column, { selectionMode: 'multiple' }), h(Column, { field: 'name', header: 'Name', sortable: true })]),
    h(Tree, { value: [{ key: '0', label: 'Root', children: [{ key: '1', label: 'Leaf' }] }], expandedKeys: { 0: true }, selectionMode: 'checkbox' }),
  ],
};
createApp(App).use(PrimeVue, { theme: { preset: Aura } }).mount('#app');
