// Lets jsforce use an org through all that Medley uses: node check.js URL KEY_FILE CONSUMER_KEY USER
// NODE_PATH names the folder in which jsforce is.
const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const jsforce = require('jsforce');

const [url, keyFile, consumerKey, user] = process.argv.slice(2);

function assertion(sub) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 120;
  const signed = part({ alg: 'RS256' }) + '.' + part({ iss: consumerKey, sub, aud: 'https://login.salesforce.com', exp });
  return signed + '.' + crypto.sign('RSA-SHA256', Buffer.from(signed), fs.readFileSync(keyFile)).toString('base64url');
}

async function loggedIn(sub) {
  const conn = new jsforce.Connection({ oauth2: { loginUrl: url, clientId: consumerKey }, version: '61.0' });
  const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const token = await conn.oauth2._postParams({ grant_type: grant, assertion: assertion(sub) });
  return new jsforce.Connection({ instanceUrl: token.instance_url, accessToken: token.access_token, version: '61.0' });
}

(async () => {
  await assert.rejects(loggedIn('nobody@example.com'), /approved/);
  const conn = await loggedIn(user);
  const described = await conn.sobject('Account').describe();
  assert.strictEqual(described.fields.find((f) => f.name === 'AnnualRevenue').type, 'currency');

  const made = await conn.sobject('Account').create({ Name: 'Ännchen "AG",\nGmbH', Ext__c: 'js-0' });
  assert.ok(made.success);
  const up = await conn.sobject('Account').upsert(
    [{ Ext__c: 'js-0', Name: 'neu' }, { Ext__c: 'js-1', Name: 'eins' }], 'Ext__c');
  assert.deepStrictEqual(up.map((r) => r.success), [true, true]);
  assert.strictEqual((await conn.sobject('Account').retrieve(made.id)).Name, 'neu');

  const rows = Array.from({ length: 2500 }, (_, i) => ({ Ext__c: `js-bulk-${i}`, Name: `Firma ${i}` }));
  conn.bulk2.pollInterval = 50;
  const told = await conn.bulk2.loadAndWaitForResults({
    object: 'Account', operation: 'upsert', externalIdFieldName: 'Ext__c', input: rows, pollInterval: 50, pollTimeout: 60000,
  });
  assert.deepStrictEqual(
    [told.successfulResults.length, told.failedResults.length, told.unprocessedRecords.length], [2500, 0, 0]);
  assert.strictEqual(told.successfulResults[0].sf__Created, 'true');

  const soql = "SELECT Id, Ext__c FROM Account WHERE Ext__c >= 'js-bulk-' AND Ext__c < 'js-bulk.'";
  const stream = await conn.bulk2.query(soql, { pollInterval: 50, pollTimeout: 60000 });
  const read = await stream.toArray();
  assert.deepStrictEqual(new Set(read.map((r) => r.Ext__c)), new Set(rows.map((r) => r.Ext__c)));
  assert.strictEqual(read.length, 2500);

  const all = await conn.query(soql, { autoFetch: true, maxFetch: 10000 });
  assert.strictEqual(all.records.length, 2500);
  await conn.sobject('Account').destroy(made.id);
  assert.strictEqual((await conn.query("SELECT COUNT() FROM Account WHERE Ext__c = 'js-0'")).totalSize, 0);
  await assert.rejects(conn.query('SELECT Nam FROM Account'), (e) => e.errorCode === 'INVALID_FIELD');
  await assert.rejects(conn.sobject('Accunt').describe(), (e) => e.errorCode === 'NOT_FOUND');
  console.log('jsforce: all is as it should be');
})().catch((e) => { console.error(e); process.exit(1); });
