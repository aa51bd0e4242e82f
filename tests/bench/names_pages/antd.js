import * as a from 'antd';
import { h, show } from './react.js';

const item = (label, name, control, more) => h(a.Form.Item, { label, name, ...more }, control);
show(
  h(a.Typography.Title, null, 'Order'),
  h(a.Form, { name: 'f' }, item('Name', 'name', h(a.Input), { required: true, tooltip: 'As in the passport' }), item('Secret', 'pw', h(a.Input.Password)), item('Count', 'n', h(a.InputNumber)), item('Country', 'c', h(a.Select, { options: [{ value: 'a', label: 'Austria' }] })), item('Many', 'm', h(a.Select, { mode: 'multiple', options: [{ value: 'a', label: 'Austria' }] })), item('Day', 'd', h(a.DatePicker)), item('Wifi', 'w', h(a.Switch)), item('Pay', 'p', h(a.Radio.Group, { options: ['Cash', 'Card'] })), item('', 'ok', h(a.Checkbox, null, 'I agree')), item('Notes', 't', h(a.Input.TextArea)), item('Volume', 'v', h(a.Slider)), item('Stars', 's', h(a.Rate)), item('File', 'u', h(a.Upload, null, h(a.Button, null, 'Choose')))),
  h(a.Input.Search, { placeholder: 'Find' }), h(a.Button, { type: 'primary' }, 'Save'), h(a.Button, { disabled: true }, 'Off'), h(a.Button, { href: '/x' }, 'Link'), h(a.Button, { loading: true }, 'Busy'),
  h(a.Tabs, { items: [{ key: '1', label: 'One', children: 'First' }, { key: '2', label: 'Two' }] }), h(a.Collapse, { items: [{ key: '1', label: 'More', children: 'Text' }] }), h(a.Pagination, { total: 50 }), h(a.Segmented, { options: ['Day', 'Week'] }),
  h(a.Menu, { mode: 'inline', defaultOpenKeys: ['s'], items: [{ key: 'a', label: 'Mail' }, { key: 's', label: 'Sub', children: [{ key: 'b', label: 'Inner' }] }] }),
  h(a.Table, { rowSelection: {}, dataSource: [{ key: 1, name: 'Ada', age: 3 }], columns: [{ title: 'Name', dataIndex: 'name', sorter: true }, { title: 'Age', dataIndex: 'age', filters: [{ text: 'x', value: 'x' }] }] }),
  h(a.Breadcrumb, { items: [{ title: 'Home', href: '/' }, { title: 'Here' }] }), h(a.Tag, { closable: true }, 'Tag'), h(a.Tree, { treeData: [{ key: 1, title: 'Root', children: [{ key: 2, title: 'Leaf' }] }], checkable: true, defaultExpandAll: true }), h(a.Alert, { message: 'Saved', closable: true }),
);
