import 'element-plus/dist/index.css';
import * as e from 'element-plus';
import { createApp, h } from 'vue';

document.body.innerHTML = '<div id="app"></div>';
const item = (label, control) => h(e.ElFormItem, { label, prop: label }, () => control);
createApp({
  data: () => ({ at: 'one' }),
  render() {
    return [
      h('h1', 'Order'),
      h(e.ElForm, { model: {} }, () => [item('Name', h(e.ElInput)), item('Secret', h(e.ElInput, { type: 'password', showPassword: true })), item('Notes', h(e.ElInput, { type: 'textarea' })), item('Count', h(e.ElInputNumber, { modelValue: 1 })), item('Country', h(e.ElSelect, { modelValue: 'a' }, () => [h(e.ElOption, { value: 'a', label: 'Austria' }), h(e.ElOption, { value: 'b', label: 'Belgium' })])), item('Day', h(e.ElDatePicker)), item('Wifi', h(e.ElSwitch, { modelValue: true })), item('Pay', h(e.ElRadioGroup, { modelValue: 1 }, () => [h(e.ElRadio, { value: 1 }, () => 'Cash'), h(e.ElRadio, { value: 2 }, () => 'Card')])), item('', h(e.ElCheckbox, { label: 'I agree' })), item('Volume', h(e.ElSlider, { modelValue: 3 })), item('Stars', h(e.ElRate, { modelValue: 3 })), item('Colour', h(e.ElColorPicker)), item('File', h(e.ElUpload, null, () => h(e.ElButton, null, () => 'Choose')))]),
      h(e.ElButton, { type: 'primary' }, () => 'Save'), h(e.ElButton, { disabled: true }, () => 'Off'), h(e.ElButton, { circle: true, ariaLabel: 'Close' }, () => 'x'), h(e.ElLink, { href: '/x' }, () => 'Link'),
      h(e.ElTabs, { modelValue: this.at }, () => [h(e.ElTabPane, { name: 'one', label: 'One' }), h(e.ElTabPane, { name: 'two', label: 'Two', closable: true })]), h(e.ElCollapse, { modelValue: '1' }, () => h(e.ElCollapseItem, { name: '1', title: 'More' }, () => 'Text')), h(e.ElPagination, { total: 50, layout: 'prev, pager, next, jumper, sizes' }),
      h(e.ElMenu, { mode: 'horizontal', ellipsis: false }, () => [h(e.ElMenuItem, { index: '1' }, () => 'Mail'), h(e.ElSubMenu, { index: '2' }, { title: () => 'More' })]), h(e.ElTable, { data: [{ n: 'Ada' }] }, () => [h(e.ElTableColumn, { type: 'selection' }), h(e.ElTableColumn, { prop: 'n', label: 'Name', sortable: true })]), h(e.ElTag, { closable: true }, () => 'Tag'), h(e.ElTree, { data: [{ label: 'Root', children: [{ label: 'Leaf' }] }], defaultExpandAll: true, showCheckbox: true }), h(e.ElDropdown, null, { default: () => h('span', 'Drop'), dropdown: () => h(e.ElDropdownMenu, () => h(e.ElDropdownItem, () => 'Item')) }),
    ];
  },
}).mount('#app');
