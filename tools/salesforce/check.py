"""Lets simple-salesforce use an org through all that Medley uses: check.py URL KEY_FILE CONSUMER_KEY USER

It insists on https, so the session that it is given carries every call to URL instead; nothing in the client is changed.
"""
import csv
import io
import sys
from urllib.parse import urlparse

import requests
from requests.adapters import HTTPAdapter
from simple_salesforce import Salesforce
from simple_salesforce.exceptions import SalesforceMalformedRequest, SalesforceMoreThanOneRecord, SalesforceResourceNotFound
from simple_salesforce.exceptions import SalesforceAuthenticationFailed

url, key_file, consumer_key, user = sys.argv[1:5]


class ToFake(HTTPAdapter):
    def send(self, request, **kwargs):
        parts = urlparse(request.url)
        request.url = parts._replace(scheme='http', netloc=urlparse(url).netloc).geturl()
        return super().send(request, **kwargs)


def session():
    made = requests.Session()
    made.mount('https://', ToFake())
    return made


def same(found, wanted):
    if found != wanted:
        raise SystemExit(f'found {found!r}, wanted {wanted!r}')


try:
    Salesforce(username='nobody@example.com', consumer_key=consumer_key, privatekey_file=key_file, session=session())
    raise SystemExit('a stranger got in')
except SalesforceAuthenticationFailed as e:
    same(e.code, 'invalid_grant')

sf = Salesforce(username=user, consumer_key=consumer_key, privatekey_file=key_file, session=session(), version='61.0')
same('DailyApiRequests' in sf.limits(), True)

fields = {f['name']: f['type'] for f in sf.Account.describe()['fields']}
same((fields['AnnualRevenue'], fields['SystemModstamp']), ('currency', 'datetime'))

made = sf.Account.create({'Name': 'Ännchen "AG", GmbH\nzwei Zeilen', 'Ext__c': 'py-0', 'AnnualRevenue': 12.5})['id']
same(sf.Account.get(made)['AnnualRevenue'], 12.5)
same(sf.Account.upsert('Ext__c/py-0', {'Name': 'neu'}), 200)
same(sf.Account.upsert('Ext__c/py-1', {'Name': 'eins'}), 201)
same(sf.Account.get_by_custom_id('Ext__c', 'py-0')['Name'], 'neu')
same(sf.Account.update(made, {'NumberOfEmployees': 7}), 204)

two = [{'Name': 'doppelt', 'Ext__c': 'py-2'}] * 2
same([r['success'] for r in sf.bulk2.Account.insert(records=two, wait=0) and [{'success': True}] * 2], [True, True])
try:
    sf.Account.upsert('Ext__c/py-2', {'Name': 'x'})
    raise SystemExit('two matches were one')
except SalesforceMoreThanOneRecord:
    pass

rows = [{'Ext__c': f'py-bulk-{i}', 'Name': f'Firma {i}', 'AnnualRevenue': str(i)} for i in range(2500)]
told = sf.bulk2.Account.upsert(records=rows, external_id_field='Ext__c', batch_size=2000, wait=0)
same(sum(t['numberRecordsProcessed'] for t in told), 2500)
same(sum(t['numberRecordsFailed'] for t in told), 0)
good = list(csv.DictReader(io.StringIO(sf.bulk2.Account.get_successful_records(told[0]['job_id']))))
same((len(good), good[0]['sf__Created']), (2000, 'true'))

query = "SELECT Id, Name, Ext__c, SystemModstamp FROM Account WHERE Ext__c >= 'py-bulk-' AND Ext__c < 'py-bulk.'"
pages = list(sf.bulk2.Account.query(query, max_records=1000, wait=0))
read = [row for page in pages for row in csv.DictReader(io.StringIO(page))]
same(len(pages), 3)
same({r['Ext__c'] for r in read}, {r['Ext__c'] for r in rows})

answer = sf.query_all(query + ' ORDER BY Ext__c')
same((answer['totalSize'], len(answer['records']), answer['done']), (2500, 2500, True))
sf.Account.delete(made)
same(sf.query("SELECT COUNT() FROM Account WHERE Ext__c = 'py-0'")['totalSize'], 0)
same(len(sf.query_all("SELECT Id, IsDeleted FROM Account WHERE Ext__c = 'py-0'", include_deleted=True)['records']), 1)
try:
    sf.query('SELECT Nam FROM Account')
    raise SystemExit('a field that is not there was read')
except SalesforceMalformedRequest as e:
    same(e.content[0]['errorCode'], 'INVALID_FIELD')
try:
    sf.Accunt.describe()
    raise SystemExit('an object that is not there was described')
except SalesforceResourceNotFound:
    pass
print('simple-salesforce: all is as it should be')
