"""Writes the tables of this folder: python3 make_tables.py. What comes out of them is in the .txt files."""

ROWS = 120
CITIES = ['Kyiv', '"Berlin, Mitte"', '"the ""old"" town"', '" Oslo "', '"two\nlines"']
NOTES = ['small', 'very good shoes', 'red', 'much too late again', 'good red shoes']


def shop(rows, shift=0):
    lines = []
    for i in range(rows):
        k = i + shift
        month, day = k % 12 + 1, k % 28 + 1
        price = ['', 'NA', ' ?', 'null'][k // 15 % 4] if k % 15 == 7 else '%.2f' % (k * 37 % 101 * 1.25 - 20)
        cells = [
            str(1000 + k),
            ' ' + price,
            '"%d,%03d"' % (k % 9 + 1, k * 7 % 1000) if k % 3 else str(k * 11 % 999),
            ['yes', 'No', 'YES', 'no'][k * 3 % 4],
            '' if k % 40 == 3 else ['TRUE', 'false', 'True'][k % 3],
            ['t', 'f'][k * k % 3 % 2],
            ['on', 'off'][k // 2 % 2],
            str(k % 2),
            '%02d/%02d/%d' % (day, month, 1990 + k % 30),
            '' if k == 11 else '2024-%02d-%02d %02d:%02d:%02d' % (month, day, k % 24, k * 7 % 60, k * 13 % 60),
            '%02d.%02d.%02d' % (day, month, k % 24),
            '%02d:%02d' % (k * 5 % 24, k * 7 % 60),
            'late red' if k % 37 == 5 else ['1', '1.0', '2', '10', '02', 'x', 'y y'][k % 7],
            CITIES[k * 7 % 5] if k % 29 else '',
            NOTES[k % 5] + ' %d and more' % (k % 119),
            'r%03d-%d' % (k, k * k % 7),
            'same',
            '',
            '$%d.50' % (k % 50),
            '%d.%03d' % (k % 8 + 1, k * 17 % 1000) if k % 2 else str(k % 900),
            '2021%02d%02d' % (month, day),
            '9107199254740%03d' % (k * 31 % 1000),
            '%.1f' % (k % 4 / 2),
            ['low', 'high', 'middle'][k * k % 7 % 3],
        ]
        lines.append(','.join(cells))
    return lines


NAMES = ('id,price,units,member,active,short,switch,digit,born,seen,shortyear,clock,code,city,note,ref,same,none,'
         'paid,pointed,day,long,weight,y')


def write(name, lines, end='\n'):
    with open(name, 'w', newline='') as out:
        out.write(end.join(lines) + end)


write('shop.csv', [NAMES] + shop(ROWS))
later = shop(24, 50)
later[2] = later[2].replace(',low', ',').replace(',high', ',').replace(',middle', ',')
write('later.csv', [NAMES + ',extra'] + [
    line.replace('"Berlin, Mitte"', 'Rome').replace('two\nlines', 'Bari') + ',%d' % i for i, line in enumerate(later)
])
write('euro.csv', ['sep=;', 'a;b;day;stay;n;w;y'] + [
    ';'.join([
        '%d,%02d' % (i % 13, i * 7 % 100),
        '-%d' % i if i % 5 else 'k.A.',
        '%d-%d-%d' % (i % 12 + 1, i % 27 + 1, 2000 + i),
        '"""%d; %d"""' % (i % 3, i % 2),
        '1.%03d' % i,
        '%d,5' % (i % 3),
        str(i * i % 11 % 5),
    ]) for i in range(40)
], '\r\n')
write('bare.tsv', ['\t'.join([str(i % 7), ['a', 'b', 'c'][i % 3], str(i % 3)]) for i in range(30)])
write('words.csv', ['t,u,h,n,y'] + [
    ','.join([
        ['red apple', 'green apple red', 'Blue sky', ''][i % 4],
        ['one', 'two one', 'two two two'][i % 3],
        'k%d' % (i % 5),
        str(i),
        ['no', 'yes'][i % 2],
    ]) for i in range(20)
])
write('ranks.csv', ['query,grade,x,c,w'] + [
    '%s,%d,%d,%s,%d' % (['q1', 'q2', 'q3', 'q4'][i * 4 // 24], i * i % 4, i * 5 % 9, ['a', 'b'][i % 2], i % 3 + 1)
    for i in range(24)
])
write('rates.csv', ['claims,exposure,area,age'] + [
    '%s,%s,%s,%s' % (['0', '2', '1.5', '0'][i % 4], ['1', '0.5'][i % 2], ['n', 's', 'e'][i % 3], i * 7 % 31)
    for i in range(25)
])
write('sales.csv', ['day,store,sold,cost,holiday'] + sorted((
    '2024-%02d-%02d,%s,%s,%s,%d' % (
        1 + d // 31, d % 31 + 1, s, '' if last and d >= 44 else '%.1f' % (d * 3 % 11 + 100 * k),
        '' if last and d >= 44 else d * d % 7, d % 7 == 6)
    for k, s in enumerate(['a', 'b'])
    for last in [False]
    for d in range(48 - 8 * k)
), key=lambda line: line[::-1]))
write('ahead.csv', ['day,store,sold,cost,holiday'] + [
    '2024-03-%02d,%s,%s,%s,%d' % (d + 1, s, '%.1f' % (d + 3) if d < 6 else '', d if d < 6 else '', d % 7 == 6)
    for s in ['a', 'b'] for d in range(9)
])
write('walks.csv', ['walk,t,x,z,kind,height'] + [
    '%s,%d,%s,%d,%s,%s' % (
        'w%02d' % w, 10 * t, '' if (w + t) % 6 == 5 else '%.1f' % (w * 2 + t * t % 5), w % 4 + t,
        ['run', 'rest', 'climb'][w % 3], '%.1f' % (w * 1.5))
    for w in range(15) for t in range(2 + w % 4)
])
write('pairs.svm', ['%d 1:%d 3:%.1f %d:1 # row' % (i % 2, i % 4, i / 2, 5 + i % 3) for i in range(12)])
write('rows.jsonl', [
    '{"n": %s, "s": %s, "b": %s, "list": [%d], "o": null, "y": "%s"}' % (
        'null' if i == 4 else i * 1.5, '"%d"' % (i % 3) if i % 5 else i % 3, ['true', 'false'][i % 2], i,
        ['up', 'down'][i * i % 3 % 2])
    for i in range(18)
])
