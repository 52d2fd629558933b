"""PostgreSQL to batches of standardized floats, beside psycopg and DuckDB: one process each, interleaved, on one core.

python benchmarks/loop/postgres.py --classpath 'cli/target/medley/lib/*' --out runs.jsonl [--rows 1000000] [--pairs 5]

Needs psycopg[binary], numpy, pandas, duckdb and duckdb-extension-postgres-scanner; a PostgreSQL below /usr/lib/postgresql is started in a temporary folder. The server is kept on
the last core, each reader on the first. Every reader ends with the same float32 batches; the sum of all values shows that it read them.
"""
import argparse, glob, json, os, shutil, socket, subprocess, sys, tempfile, time

WIDTH, BATCH = 17, 2048


def batches(values, state):
    import numpy as np

    state["rows"] += len(values)
    state["sum"] += float(values.sum())
    for at in range(0, len(values), BATCH):
        state["last"] = ((values[at:at + BATCH] - 0.5) * 12 ** 0.5).astype(np.float32)


def psycopg_numpy(url, state):
    """Rows without missing values have one length in binary form: numpy takes them as they come."""
    import numpy as np, psycopg

    row = np.dtype([("fields", ">i2")] + [x for i in range(WIDTH) for x in ((f"n{i}", ">i4"), (f"v{i}", ">f8"))])
    skip = 19
    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy("COPY t TO STDOUT (FORMAT binary)") as copy:
        parts, size = [], 0

        def take(data):
            found = np.frombuffer(data, row, len(data) // row.itemsize)
            batches(np.stack([found[f"v{i}"] for i in range(WIDTH)], axis=1).astype(np.float64), state)

        for block in copy:
            block = bytes(block)
            if skip:
                block, skip = block[skip:], 0
            if len(block) == 2:
                continue  # The end mark.
            parts.append(block)
            size += len(block)
            if size >= BATCH * row.itemsize:
                take(b"".join(parts))
                parts, size = [], 0
        data = b"".join(parts)
        take(data[:len(data) // row.itemsize * row.itemsize])


def psycopg_rows(url, state, binary):
    """What psycopg's own documentation shows: rows as tuples."""
    import numpy as np, psycopg

    with psycopg.connect(url) as connection, connection.cursor() as cursor, cursor.copy(f"COPY t TO STDOUT (FORMAT {'binary' if binary else 'text'})") as copy:
        copy.set_types(["float8"] * WIDTH)
        some = []
        for one in copy.rows():
            some.append(one)
            if len(some) == BATCH:
                batches(np.array(some, dtype=np.float64), state)
                some = []
        if some:
            batches(np.array(some, dtype=np.float64), state)


def duckdb_reader(url, state):
    import duckdb, numpy as np

    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    try:
        import duckdb_extension_postgres_scanner as package

        connection.execute(f"LOAD '{glob.glob(os.path.dirname(package.__file__) + '/extensions/*/*.duckdb_extension')[0]}'")
    except ImportError:
        connection.execute("INSTALL postgres")
        connection.execute("LOAD postgres")
    connection.execute(f"ATTACH '{url}' AS p (TYPE postgres, READ_ONLY)")
    result = connection.execute("SELECT * FROM p.t")
    while True:
        chunk = result.fetch_df_chunk(1)
        if not len(chunk):
            break
        batches(chunk.to_numpy(), state)


READERS = {
    "psycopg binary, numpy": psycopg_numpy,
    "psycopg binary, rows": lambda url, state: psycopg_rows(url, state, True),
    "psycopg text, rows": lambda url, state: psycopg_rows(url, state, False),
    "duckdb": duckdb_reader,
}


def child(name, url):
    import numpy, psycopg

    state = {"rows": 0, "sum": 0.0, "last": None}
    before, cpu = time.perf_counter(), time.process_time()
    READERS[name](url, state)
    print(json.dumps({"rows": state["rows"], "seconds": round(time.perf_counter() - before, 3), "cpu": round(time.process_time() - cpu, 3), "sum": round(state["sum"], 3)}))


class Server:
    def __init__(self):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = tempfile.mkdtemp(prefix="medley-benchmark")
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "medley", "--auth=trust", "--locale=C", "--encoding=UTF8", "--no-sync")
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} -c fsync=off -c shared_buffers=512MB", "start")
        self.place = f"127.0.0.1:{self.port}/postgres"

    def run(self, program, *arguments):
        own = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.getuid() == 0 else []
        subprocess.run(["taskset", "-c", str(os.cpu_count() - 1), *own, f"{self.bin}/{program}", *arguments], check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def close(self):
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder)


def one(reader, server, classpath):
    if reader.startswith("medley"):
        times = "3" if "warm" in reader else "1"
        command = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-Dslf4j.internal.verbosity=ERROR", "-cp", classpath, "benchmarks/loop/Postgres.java", f"postgresql://{server.place}", "medley", "t", times]
    else:
        command = [sys.executable, __file__, "--child", reader, f"postgresql://medley@{server.place}"]
    said = subprocess.run(["taskset", "-c", "0", *command], capture_output=True, text=True)
    if said.returncode:
        return {"error": said.stderr.strip().splitlines()[-1]}
    return json.loads(said.stdout.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--classpath", default="cli/target/medley/lib/*")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--out", default="postgres-runs.jsonl")
    parser.add_argument("--child", nargs=2)
    given = parser.parse_args()
    if given.child:
        return child(*given.child)
    import psycopg

    server = Server()
    try:
        with psycopg.connect(f"postgresql://medley@{server.place}") as connection:
            connection.execute(f"CREATE TABLE t AS SELECT {', '.join(f'random() AS c{i}' for i in range(WIDTH))} FROM generate_series(1, {given.rows})")
        with psycopg.connect(f"postgresql://medley@{server.place}", autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE t")
        with open(given.out, "w") as out:
            for pair in range(given.pairs):
                for reader in ("medley, warm", "medley, first", *READERS):
                    found = one(reader, server, given.classpath)
                    line = json.dumps({"reader": reader, "pair": pair, "load": os.getloadavg()[0], **found})
                    print(line, flush=True)
                    out.write(line + "\n")
    finally:
        server.close()


main()
