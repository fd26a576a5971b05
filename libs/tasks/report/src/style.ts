import { rampGradient, rampProperties } from './ramp.js';

const light = `--page:#faf8f2;--card:#ffffff;--ink:#1e2a24;--muted:#68736c;--faint:#e2e0d4;--noise:#aeb3a9;--line:#eae7dc;--accent:#2c7a52;--second:#c4472f;--shade:rgba(40,50,40,.07);${rampProperties('light')}`;
const dark = `--page:#121714;--card:#1a211d;--ink:#e7ece6;--muted:#98a49c;--faint:#38433c;--noise:#67736b;--line:#29322d;--accent:#79c796;--second:#ff8a6b;--shade:rgba(0,0,0,.35);${rampProperties('dark')}`;

/**
 * The page's only style sheet. Everything coloured is a custom property, so that light, dark and print differ in one
 * place.
 */
export const styleSheet = `
:root{color-scheme:light dark;${light}}
@media screen and (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;-webkit-text-size-adjust:100%;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main{max-width:1160px;margin:0 auto;padding:56px 28px 72px}
header{border-bottom:3px solid var(--accent);padding-bottom:26px;margin-bottom:34px}
.mark{display:flex;align-items:center;gap:10px;color:var(--accent);font-weight:650;letter-spacing:.08em;text-transform:uppercase;font-size:13px}
.mark svg{width:26px;height:26px}
h1{font-size:clamp(27px,4.2vw,42px);line-height:1.12;letter-spacing:-.022em;margin:14px 0 10px;font-weight:680;overflow-wrap:anywhere}
h2{font-size:21px;letter-spacing:-.01em;margin:0 0 4px;font-weight:650}
p{margin:0 0 14px;max-width:76ch}
.lead{font-size:17px;color:var(--muted);margin:0}
.note{color:var(--muted);font-size:14.5px}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:26px 28px;margin:0 0 24px;box-shadow:0 1px 2px var(--shade),0 8px 28px -18px var(--shade);break-inside:avoid}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,250px),1fr));gap:14px;margin:0 0 24px}
.figures div{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:18px 16px}
.figures b{display:block;font-size:29px;line-height:1.15;letter-spacing:-.02em;font-weight:660;font-variant-numeric:tabular-nums}
.figures .main b{color:var(--accent)}
.figures span{color:var(--muted);font-size:13px}
.under{padding:0 4px;margin:-8px 0 22px}
.more{margin-top:14px}
.more p{margin:8px 0 0;max-width:96ch}
summary{color:var(--muted);cursor:pointer;font-size:14px}
details{font-size:14px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:9px 12px;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:4px}
thead th{font-size:13px;font-weight:550;color:var(--muted);border-bottom-color:var(--faint)}
tbody tr:last-child td,tbody tr:last-child th{border-bottom:0}
tbody th{font-weight:550}
tr.chosen th,tr.chosen td{background:color-mix(in srgb,var(--accent) 10%,transparent)}
tr.chosen th{color:var(--accent)}
.best{font-weight:700}
.flattered{color:var(--muted)}
table+.note{margin:12px 0 0}
.badge{display:inline-block;margin-left:8px;padding:0 8px;border-radius:99px;background:var(--accent);color:var(--card);font-size:11.5px;font-weight:600;line-height:1.7;vertical-align:1px}
.two{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr));gap:18px 34px;align-items:start}
figure{margin:0}
figure>svg{max-width:100%;height:auto;display:block}
figure.map{max-width:430px}
figure.map>svg{shape-rendering:crispEdges;width:100%;border-radius:6px;border:1px solid var(--line)}
figcaption{color:var(--muted);font-size:13.5px;margin-top:8px}
.plot-figure>svg{width:100%}
.wide,.scroll{overflow-x:auto}
.key{display:flex;flex-wrap:wrap;gap:4px 20px;color:var(--muted);font-size:13.5px;margin:2px 0 10px}
.key i{display:inline-block;width:22px;height:0;border-top:3px solid var(--accent);vertical-align:middle;margin-right:7px}
.key i.train{border-top:2px dashed var(--muted)}
.key i.dot{width:11px;height:11px;border:0;border-radius:50%;background:var(--second)}
.key svg{width:12px;height:12px;vertical-align:-1px;margin-right:7px;fill:none;stroke:var(--ink);stroke-width:1.4}
.key i.block{height:10px;border:0;background:var(--faint);width:14px}
.key i.loss{background:var(--second)}
.key i.noise{background:var(--noise)}
.ramp{display:flex;align-items:center;gap:10px;color:var(--muted);font-size:13px;margin-top:10px}
.ramp i{flex:1;height:9px;border-radius:99px;max-width:230px;border:1px solid var(--line)}
.ramp i.leaf{background:${rampGradient('leaf')}}
.ramp i.ember{background:${rampGradient('ember')}}
.pairs{display:grid;grid-template-columns:repeat(auto-fill,minmax(158px,1fr));gap:18px 20px;margin-top:14px}
.pair svg{width:100%;image-rendering:crisp-edges}
.pair figcaption,.line figcaption{font-size:12px;margin-top:3px}
.lines{display:grid;gap:10px;margin-top:14px}
.line{display:grid;grid-template-columns:1fr 76px;gap:12px;align-items:center}
.line svg{width:100%;height:30px}
.line figcaption{margin:0}
.frame{fill:var(--page);stroke:var(--faint);stroke-width:1px;vector-effect:non-scaling-stroke}
.sample{fill:var(--accent)}
.nearest{fill:var(--muted)}
.differing{fill:var(--second)}
dl{display:grid;grid-template-columns:minmax(150px,max-content) 1fr;gap:5px 24px;margin:0}
dt{color:var(--muted)}
dd{margin:0;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
code,.hash{font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
ol.leading{margin:6px 0 0;padding:0;list-style:none;font-size:14.5px}
ol.leading li{display:flex;justify-content:space-between;gap:20px;padding:5px 0;border-bottom:1px solid var(--line)}
ol.leading li:last-child{border:0}
ol.leading span{overflow-wrap:anywhere}
ol.leading b{font-variant-numeric:tabular-nums}
ol.bars li{display:grid;grid-template-columns:minmax(90px,30%) 1fr 62px;gap:14px;align-items:center;padding:3px 0;border:0}
ol.bars li::before{content:"";order:1;height:13px;border-radius:2px;background:var(--accent);width:calc(var(--share)*100%);min-width:1px}
ol.bars b{order:2;font-weight:550}
footer{color:var(--muted);font-size:13.5px;padding:6px 4px}
.warnings{border-left:4px solid var(--second)}
.warnings ul{margin:6px 0 0;padding-left:20px}
.warnings li{max-width:90ch;overflow-wrap:anywhere;margin:0 0 6px}
@media screen and (max-width:620px){main{padding:28px 14px}section{padding:20px 16px}.figures{gap:10px}.figures div{padding:13px 14px}.figures b{font-size:23px}dl{grid-template-columns:minmax(96px,max-content) 1fr;gap:4px 14px}dt,dd{font-size:14px}.maps{grid-template-columns:1fr 1fr;gap:16px}.maps .ramp{gap:5px;font-size:11.5px}ol.bars li{grid-template-columns:45% 1fr 50px;gap:10px}.pairs{grid-template-columns:repeat(3,1fr);gap:14px 16px}.line{grid-template-columns:1fr 62px;gap:8px}.key{gap:4px 14px}}
@media screen and (max-width:620px){.selections thead{display:none}.selections,.selections tbody,.selections th{display:block}.selections tr{display:grid;grid-template-columns:minmax(0,1fr);padding:8px 10px;border-bottom:1px solid var(--line)}.selections tr:last-child{border:0}.selections tbody th,.selections td{border:0;padding:2px 0}.selections tr.chosen{background:color-mix(in srgb,var(--accent) 10%,transparent);border-radius:8px}.selections tr.chosen th,.selections tr.chosen td{background:none}.selections th{text-align:left;grid-column:1/-1}.selections td{display:flex;justify-content:space-between;gap:14px}.selections td::before{content:attr(data-label);color:var(--muted);font-weight:400}.selections td{font-size:14px}}
@media screen and (max-width:760px){.wide>svg{width:760px;max-width:none}.wide{background:linear-gradient(90deg,var(--card) 30%,transparent) 0 0/44px 100% no-repeat local,linear-gradient(270deg,var(--card) 30%,transparent) 100% 0/44px 100% no-repeat local,linear-gradient(90deg,var(--faint),transparent) 0 0/16px 100% no-repeat scroll,linear-gradient(270deg,var(--faint),transparent) 100% 0/16px 100% no-repeat scroll}.wide::after{content:"the figure goes on to the right: move it sideways";position:sticky;left:0;display:block;color:var(--muted);font-size:12.5px}}
td .note{font-size:.86em}
@media print{th,td{padding:6px 7px;font-size:11.5px}th,td{white-space:normal}:root{color-scheme:light}body{font-size:12.5px}main{max-width:none;padding:0}section,.figures div{box-shadow:none;border-radius:8px}.pairs{grid-template-columns:repeat(6,1fr)}.two{grid-template-columns:1fr 1fr}.figures{grid-template-columns:repeat(3,1fr)}details::details-content{content-visibility:visible;height:auto}@page{margin:14mm}}
`
  .replace(/\n/g, '')
  .replace(/\}\s+/g, '}');
