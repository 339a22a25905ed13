import { createClient } from '#contract/client.ts';
import { contract } from '#contract/index.ts';
const url = process.argv[2]!; const key='svc_sk_0123456789abcdef0123456789abcdef';
const { recording: r, costs } = createClient(contract, { baseUrl: url, headers: () => ({ 'X-Svc-Key': key }) });
let seed = 7; const rnd = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const pick = <T>(a: readonly T[]) => a[Math.floor(rnd() * a.length)]!;
const DAY=86400000; const now=Date.now();
const models=[['gpt-4o','openai'],['gpt-4o-mini','openai'],['claude-sonnet-4-5','anthropic'],['claude-haiku-4-5','anthropic'],['gemini-2.5-pro','google'],['gemini-2.5-flash','google'],['o3','openai'],['gpt-5','openai'],['claude-opus-4-1','anthropic'],['mistral-large-latest','mistral'],['acme/internal-7b','acme']] as const;
const agents=[['support-triage','answer'],['research','weekly-report'],['sales-assistant','outreach']] as const;
const talks=[['Why was I charged twice this month?','You were charged once for June and once for July; the dates moved because of the weekend.'],['Can you refund the second one?','I have asked billing to look at it. You will hear from them within two days.'],['Thanks. Where do I see my invoices?','Under Account → Billing → Invoices. Each has a PDF.'],['And can I change the address on them?','Yes: Account → Company. The change holds for future invoices.']] as const;
for (let s=0;s<26;s++){
  const [agent,wf]=pick(agents); const user=`user-${1+Math.floor(rnd()*9)}@example.com`; const t0=now-Math.floor(rnd()*rnd()*29*DAY)-600000;
  for (let n=0;n<1+Math.floor(rnd()*4);n++){
    const at=Math.min(now-60000,t0+n*240000);
    const {run_id}=await r.startRun({body:{agent_name:agent,workflow_name:wf,session_id:`chat-${1000+s}`,user_id:user,started_at:new Date(at).toISOString(),inputs:{question:talks[n]![0]},tags:['web'],metadata:{channel:'web',locale:'en'}}});
    const params={run_id};
    const calls=Array.from({length:1+Math.floor(rnd()*5)},(_,i)=>{const [model,provider]=pick(models);const tin=500+Math.floor(rnd()*20000);return{model,provider,tokens_in:tin,tokens_out:50+Math.floor(rnd()*2500),...(rnd()>.6?{cache_read_tokens:Math.floor(tin*.6)}:{}),duration_ms:300+Math.floor(rnd()*9000),task:pick(['classify','answer','summarize']),created_at:new Date(at+i*4000).toISOString(),prompt_preview:`You are a support agent of Example Ltd. ${talks[n]![0]} `+'Context: '+'the customer wrote before about invoices and refunds. '.repeat(1+i*6),response_preview:talks[n]![1]};});
    await r.recordLlmCalls({params,body:{calls}});
    await r.recordSpans({params,body:{spans:[{name:'search_tickets',kind:'tool',duration_ms:182,position:0,input_data:{q:'refund'},output_data:{hits:3}},{name:'knowledge_base',kind:'retriever',duration_ms:61,position:1,attributes:{top_k:3}},{name:'choose_team',kind:'decision',duration_ms:12,position:2,status:'ok'}]}});
    await r.recordScores({params,body:{scores:[{name:'quality',numeric_value:.92}]}});
    const bad=rnd()>.9;
    await r.completeRun({params,body:{...(bad?{status:'error',error:'TimeoutError: the ticket system did not answer within 30 s'}:{result:{answer:talks[n]![1]}}),completed_at:new Date(at+25000).toISOString(),steps:[{step_name:'reply',output:{sent:!bad}}]}});
  }
}
// a big run, an odd session
const {run_id}=await r.startRun({body:{agent_name:'crawler',workflow_name:'nightly',session_id:'a/b ?x=%41\u202Ecod',user_id:'ü/1?#%'}});
for(let b=0;b<3;b++) await r.recordSpans({params:{run_id},body:{spans:Array.from({length:1000},(_,i)=>({name:`fetch_page_${b*1000+i}`,kind:'tool' as const,duration_ms:5+i%40,position:b*1000+i}))}});
await r.recordLlmCalls({params:{run_id},body:{calls:Array.from({length:230},(_,i)=>({model:'gpt-4o-mini',tokens_in:100+i,tokens_out:20,prompt_preview:`page ${i}`,response_preview:'ok'}))}});
const {run_id:other}=await r.startRun({body:{agent_name:'crawler',session_id:'..',user_id:'x'.repeat(200)}});
console.log('big run',run_id,other);
