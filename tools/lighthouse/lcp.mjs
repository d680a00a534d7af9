import { launch } from 'chrome-launcher'; import lighthouse from 'lighthouse';
const base=process.env.SITE;
for (const page of process.env.PAGES.split(',')) for (let i=0;i<2;i++){ const chrome=await launch({chromePath:process.env.CHROMIUM_PATH,chromeFlags:['--headless=new','--no-sandbox','--disable-gpu']});
 const {lhr}=await lighthouse(base+page,{port:chrome.port,onlyCategories:['performance']}); chrome.kill();
 console.log(page, Math.round(lhr.categories.performance.score*100), Object.entries(lhr.audits).filter(([k])=>['first-contentful-paint','largest-contentful-paint','speed-index','total-blocking-time'].includes(k)).map(([k,v])=>k+' '+v.displayValue).join(', '));
 if(i)continue;
 for(const k of ['lcp-breakdown-insight','largest-contentful-paint-element','render-blocking-insight','network-dependency-tree-insight','lcp-discovery-insight']) if(lhr.audits[k]) console.log(k, JSON.stringify(lhr.audits[k].details??{}).slice(0,1800));
 console.log(lhr.audits['network-requests'].details.items.map(r=>[Math.round(r.networkRequestTime),Math.round(r.networkEndTime),r.transferSize,r.priority,r.url.replace(base,'')].join(' ')).join('\n'));
}
