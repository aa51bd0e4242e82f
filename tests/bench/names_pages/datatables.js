import 'datatables.net-dt/css/dataTables.dataTables.css';
import DataTable from 'datatables.net-dt';

document.body.innerHTML = `<h1>People</h1><table id="t"><thead><tr><th>Name</th><th>Age</th><th></th></tr></thead><tbody>${Array.from({ length: 30 }, (_, at) => `<tr><td><a href="/p/${at}">Person ${at}</a></td><td>${at}</td><td><button><i class="pen"></i></button><button>Delete</button><input type="checkbox"></td></tr>`).join('')}</tbody></table>`;
new DataTable('#t');
