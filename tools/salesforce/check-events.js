// Lets salesforce-pubsub-api-client read change events of an org: URL KEY_FILE CONSUMER_KEY USER HOST:PORT. Says what is
// not as it should be and fails, or that all is.
const assert = require('node:assert')
const crypto = require('node:crypto')
const fs = require('node:fs')
const client = require('salesforce-pubsub-api-client')
const PubSubApiClient = client.default ?? client

const [url, keyFile, consumer, user, place] = process.argv.slice(2)
const TOPIC = '/data/AccountChangeEvent'
const words = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function token() {
  const claim = `${words({ alg: 'RS256' })}.${words({ iss: consumer, sub: user, aud: url, exp: Math.floor(Date.now() / 1000) + 120 })}`
  const signed = crypto.sign('RSA-SHA256', Buffer.from(claim), fs.readFileSync(keyFile)).toString('base64url')
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: `${claim}.${signed}` })
  return (await fetch(`${url}/services/oauth2/token`, { method: 'POST', body })).json()
}

async function main() {
  const { access_token: accessToken, instance_url: instanceUrl, id } = await token()
  const rest = async (method, path, body) => {
    const answer = await fetch(`${instanceUrl}/services/data/v61.0/sobjects/Account/${path}`, {
      method, body: body && JSON.stringify(body), headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' }
    })
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
    return answer.status === 204 ? null : answer.json()
  }
  const made = (await rest('POST', '', { Name: 'one' })).id
  await rest('PATCH', made, { Name: 'two' })
  await rest('DELETE', made)

  const org = async (organizationId) => {
    const quiet = { debug() {}, info() {}, warn() {}, error() {} }
    const one = new PubSubApiClient({
      authType: 'user-supplied', accessToken, instanceUrl: instanceUrl.replace('http:', 'https:'), organizationId, pubSubEndpoint: place, rejectUnauthorizedSsl: false
    }, quiet)
    await one.connect()
    return one
  }
  const heard = (begin, count) => new Promise((resolve, reject) => {
    const events = []
    const late = setTimeout(() => reject(new Error(`${events.length} of ${count} events in 20 s`)), 20000)
    const end = (done, value) => { clearTimeout(late); done(value) }
    begin((subscription, kind, data) => {
      if (kind === 'event') { events.push(data) }
      if (kind === 'error') { end(reject, data) }
      const isSign = kind === 'grpcKeepAlive' || kind === 'grpcKeepalive'
      if (events.length === count && (count > 0 || isSign)) { end(resolve, { events, subscription }) }
    })
  })

  // A client keeps one stream of a topic, so each question has a client of its own.
  const reader = () => org(id.split('/').at(-2))
  const first = await reader()
  const { events } = await heard((say) => first.subscribeFromEarliestEvent(TOPIC, say, 3), 3)
  assert.deepEqual(events.map((e) => e.payload.ChangeEventHeader.changeType), ['CREATE', 'UPDATE', 'DELETE'])
  for (const event of events) {
    assert.deepEqual(event.payload.ChangeEventHeader.recordIds, [made])
    assert.equal(event.payload.ChangeEventHeader.entityName, 'Account')
    assert.equal(event.payload.Name, 'not looked at')
  }
  const second = await reader()
  const behind = await heard((say) => second.subscribeFromReplayId(TOPIC, say, 2, events[0].replayId), 2)
  assert.deepEqual(behind.events.map((e) => e.replayId), events.slice(1).map((e) => e.replayId))
  const third = await reader()
  const live = heard((say) => third.subscribe(TOPIC, say, 1), 1)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await rest('POST', '', { Name: 'live' })
  assert.equal((await live).events[0].payload.ChangeEventHeader.changeType, 'CREATE')
  const fourth = await reader()
  await assert.rejects(heard((say) => fourth.subscribeFromReplayId(TOPIC, say, 2, 4711), 1), /Replay ID validation failed/)
  const stranger = await org('00D000000000009AAA')
  await assert.rejects(heard((say) => stranger.subscribe(TOPIC, say, 1), 1), /session expired|UNAUTHENTICATED/)
  console.log('salesforce-pubsub-api-client: all is as it should be')
  process.exit(0)
}

main().catch((e) => { console.log(e); process.exit(1) })
