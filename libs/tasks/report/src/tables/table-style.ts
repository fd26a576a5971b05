/** What tables need beside the style of all pages. */
export const tableStyle = `
h3{font-size:15.5px;margin:18px 0 6px;font-weight:620;overflow-wrap:anywhere}
i.said{color:var(--muted)}
small{display:block;color:var(--muted);font-size:12.5px}
.across{overflow-x:auto}
.across.always::after{content:"the table goes on to the right: move it sideways";position:sticky;left:0;display:block;color:var(--muted);font-size:12.5px;padding-top:4px}
tr.sum th,tr.sum td{border-top:2px solid var(--faint);font-weight:650}
td.values{text-align:left;white-space:normal;min-width:170px;max-width:330px;overflow-wrap:anywhere}
.variables th:first-child{white-space:normal;overflow-wrap:anywhere;max-width:220px}
td.bar{padding-left:16px}th .note{display:block;font-weight:400;font-size:12.5px}
.bar-head{min-width:190px}
td.bar b{display:inline-block;width:60px;font-weight:550}
.bar .predicted{display:inline-block;vertical-align:middle;width:calc(100% - 66px);min-width:110px;height:13px;text-align:left}
.bar .predicted i{display:block;height:100%;border-radius:2px;width:max(1px,calc(var(--length)*100%));background:linear-gradient(90deg,var(--accent) calc(var(--predicted)*100%),var(--noise) calc(var(--predicted)*100%))}
.bar.unsure .predicted i{--accent:color-mix(in srgb,var(--noise),var(--page) 55%)}.bar.unsure b{color:var(--muted)}.key i.predicted{background:var(--accent)}
.left-out{margin:0;padding-left:20px;font-size:14.5px}

.scatters{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:24px 30px;margin-top:10px}
.scatter{break-inside:avoid;min-width:0}
.scatter h3{margin:0 0 2px}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,200px),1fr));gap:6px 14px}
.sides svg{width:100%;display:block}
.side{margin:0;text-align:center;font-size:12.5px;color:var(--muted)}
.points{fill:none;stroke-width:3.4;stroke-linecap:round}
.points.data{stroke:var(--muted)}
.points.draws{stroke:var(--accent)}
.predicted-from{list-style:none;margin:8px 0 0;padding:0;--part-0:var(--accent);--part-1:color-mix(in srgb,var(--accent) 62%,var(--card));--part-2:color-mix(in srgb,var(--accent) 34%,var(--card))}
.predicted-from li{display:grid;grid-template-columns:minmax(0,150px) 58px minmax(90px,1fr) minmax(0,1.3fr);gap:4px 14px;align-items:center;padding:5px 0}
.predicted-from b{font-weight:550;overflow-wrap:anywhere}
.predicted-from .gain{font-variant-numeric:tabular-nums;text-align:right;color:var(--muted);font-size:13.5px}
.parts{display:flex;height:15px;width:max(2px,calc(var(--length)*100%));background:var(--noise);border-radius:2px;overflow:hidden}
.parts i{width:calc(var(--share)*100%)}
i.part-0{background:var(--part-0)}i.part-1{background:var(--part-1)}i.part-2{background:var(--part-2)}
.named{display:flex;flex-wrap:wrap;gap:0 14px;font-size:13.5px;color:var(--muted)}
.named i{display:inline-block;width:9px;height:9px;border-radius:2px;margin-right:5px;background:var(--noise)}
.named i.part-0{background:var(--part-0)}.named i.part-1{background:var(--part-1)}.named i.part-2{background:var(--part-2)}
.marginals{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr));gap:22px 30px;margin-top:10px}
.marginal{break-inside:avoid;min-width:0}
.marginal h3{margin:0 0 4px}
.marginal figcaption{font-size:12.5px;margin-top:4px;overflow-wrap:anywhere}
.histogram{width:100%}
.histogram text,.panel text,.matrix text{font-size:11px;fill:var(--muted)}
.histogram .axis-name,.panel .axis-name{fill:var(--ink);font-size:12px}
.matrix text{fill:var(--ink);font-size:10.5px}
.histogram .grid,.panel .grid{stroke:var(--line);fill:none}
.histogram .tick,.histogram .axis,.panel .tick,.panel .axis{stroke:var(--muted);fill:none}
.of-data{fill:var(--faint)}
.of-draws{fill:none;stroke:var(--accent);stroke-width:1.8;stroke-linejoin:round}
.labels{list-style:none;margin:0;padding:0;font-size:13.5px}
.labels li{display:grid;grid-template-columns:minmax(0,40%) 1fr 48px;gap:10px;align-items:center;padding:2px 0}
.labels li>span:first-child{overflow-wrap:anywhere;line-height:1.25}
.labels b{font-weight:500;font-size:11.5px;line-height:1.2;text-align:right;font-variant-numeric:tabular-nums}
.both i{display:block;height:9px;border-radius:1px;min-width:1px;width:calc(var(--data)*100%);background:var(--faint)}
.both i+i{width:calc(var(--draws)*100%);height:5px;background:var(--accent);margin-top:2px}
.matrix svg{width:100%;height:auto;display:block}
.matrix rect{stroke:var(--card);stroke-width:1}
.pairs-list th:first-child{white-space:normal;overflow-wrap:break-word;text-align:left;max-width:210px}
.pairs-list td,.pairs-list th{padding:6px 8px}
.rows td,.rows th{text-align:left;font-size:14px;padding:7px 12px}
.odd{list-style:none;margin:0;padding:0}
.odd>li{border-top:1px solid var(--line);padding:4px 0 12px;break-inside:avoid}
.odd>li:first-child{border-top:0}
.reasons td,.reasons th{padding:5px 10px;font-size:14.5px}
.reasons th:first-child{width:18%;white-space:normal;overflow-wrap:anywhere}
.reasons td:nth-child(2){width:20%;text-align:left;white-space:normal;overflow-wrap:anywhere}
.reasons thead th:nth-child(2),.reasons thead th:last-child,.variables thead th:nth-child(2),.variables .bar-head{text-align:left}
.reasons td.expected{text-align:left;white-space:normal;width:30%}
.expected small{display:inline}
.expected span span{margin-right:10px;display:inline-block;max-width:100%;overflow-wrap:anywhere}.selections td>*{min-width:0;overflow-wrap:anywhere}.said,bdi{overflow-wrap:anywhere}.rows bdi{overflow-wrap:normal}
.odd details{margin-top:4px}
details dl{margin:8px 0 0;grid-template-columns:minmax(96px,max-content) 1fr;gap:2px 18px}
dt{overflow-wrap:anywhere}
@media screen and (max-width:760px){.across.hinted::after{content:"this goes on to the right: move it sideways";position:sticky;left:0;display:block;color:var(--muted);font-size:12.5px;padding-top:4px}}
@media screen and (max-width:620px){.predicted-from li{grid-template-columns:minmax(0,1fr) 58px}.predicted-from .parts{grid-column:1/-1}.predicted-from .named{grid-column:1/-1}.pairs-list td,.pairs-list th{padding:6px 5px;font-size:13.5px}.pairs-list th:first-child{max-width:150px}td.values,.variables th:first-child,.reasons th:first-child,.reasons td:nth-child(2),.reasons td.expected{max-width:none;min-width:0;width:auto}.selections td.values>span,.selections td.expected>span{text-align:right}.selections td.bar{display:grid;grid-template-columns:max-content 1fr 46px;gap:10px;align-items:center}.bar .predicted{width:100%;min-width:0}td.bar b{width:auto;text-align:right}tr.sum td:empty,tr.sum td[data-label="predicted by others"],tr.sum td[data-label="values"],tr.sum td[data-label="missing"]{display:none}tr.sum th,tr.sum td{border-top:0}.variables tr,.reasons tr{grid-template-columns:repeat(3,minmax(0,1fr));column-gap:12px}.variables td,.reasons td{flex-direction:column;gap:0}.variables td.values,.variables td.bar,.reasons td:nth-child(2),.reasons td.expected{grid-column:1/-1;flex-direction:row}.variables td[data-label="missing"]{grid-column:1/-1;flex-direction:row}.variables td.none{display:none}.selections td::before{font-size:12.5px}.expected span span{margin:0 0 0 10px}}
@media print{td.bar{white-space:nowrap}.bar .predicted{min-width:70px}.marginals{grid-template-columns:repeat(3,1fr)}.across{overflow:visible}.across::after{display:none!important}.matrix svg{min-width:0!important}.rows td,.rows th{font-size:10px;padding:4px 5px;overflow-wrap:anywhere}section{break-inside:auto}h2{break-after:avoid}}
`
  .replace(/\n/g, '')
  .replace(/\}\s+/g, '}');
