package dev.medley.cli.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.data.table.engine.DuckDb;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A tenant trains, predicts, evaluates and describes through the door: its own rows alone. */
@Tag("real")
@Timeout(600)
class TenantEndToEndTest {
    private static final String OTHERS = "CANARYB7F";
    private static final String MASKED = "CANARYM3D";
    private static final String SECRET_A = "key-of-acme-44c1e2d3a9";
    private static final String SECRET_B = "key-of-brown-91aa02c7f";

    @TempDir private Path folder;

    private Path shared;
    private Path work;

    @BeforeEach
    void make() throws Exception {
        shared = Files.createDirectories(folder.resolve("shared/data")).getParent();
        work = Files.createDirectories(folder.resolve("work"));
        StringBuilder all = new StringBuilder("tenant,email,city,tenure,spend,churn\n");
        StringBuilder own = new StringBuilder("tenant,city,tenure,spend,churn\n");
        for (int i = 0; i < 900; i++) {
            boolean isOwn = i % 3 != 0;
            String rest =
                    "%s,%d,%d.5,%s\n"
                            .formatted(
                                    isOwn ? "city" + i % 5 : OTHERS + i % 7,
                                    i % 60,
                                    i * 7 % 101,
                                    i * 31 % 60 < 25 ? "yes" : "no");
            all.append(isOwn ? "acme" : "brown").append(',').append(MASKED).append(i);
            all.append("@x.org,").append(rest);
            if (isOwn) {
                own.append("acme,").append(rest);
            }
        }
        Files.writeString(shared.resolve("data/customers.csv"), all);
        Files.writeString(work.resolve("physical.csv"), own);
        Files.writeString(
                shared.resolve("policies.yaml"),
                """
                bucket: warehouse
                tables:
                  customers:
                    files: data/customers.csv
                    rows: row.tenant == caller.tenant
                    masks: [{columns: email, with: drop}]
                callers:
                  acme: {secret: env:KEY_A, attributes: {tenant: acme}}
                  brown: {secret: env:KEY_B, attributes: {tenant: brown}}
                  nobody: {secret: env:KEY_N}
                """);
    }

    private DoorProcess door() throws Exception {
        return DoorProcess.start(
                work,
                Map.of("KEY_A", SECRET_A, "KEY_B", SECRET_B, "KEY_N", "key-of-nobody-0123456789"),
                "door",
                "serve",
                shared.resolve("policies.yaml").toString(),
                "--listen",
                "127.0.0.1:0",
                "--audit",
                log().toString());
    }

    private Path log() {
        return work.resolve("audit.jsonl");
    }

    private static Map<String, String> keys(String root, String caller, String secret) {
        return Map.of(
                "AWS_ENDPOINT_URL", root,
                "AWS_ACCESS_KEY_ID", caller,
                "AWS_SECRET_ACCESS_KEY", secret);
    }

    private Path job(String name, String train) throws Exception {
        return Files.writeString(
                work.resolve(name + ".yaml"),
                """
                name: %s
                data: {train: "%s", label: churn}
                model: {family: mlp, hidden: [8]}
                train: {steps: 60, batch: 32, evaluate_every: 20}
                cluster: {workers: 1}
                """
                        .formatted(name, train));
    }

    @Test
    void shouldTrainPredictEvaluateAndDescribeAsATenantAndWriteNothingOfOthers() throws Exception {
        String table = "s3://warehouse/customers.csv";
        try (DoorProcess door = door()) {
            Map<String, String> acme = keys(door.root(), "acme", SECRET_A);
            DoorProcess.done(work, acme, "train", job("shared", table).toString());
            DoorProcess.done(work, acme, "train", job("physical", "physical.csv").toString());
            assertThat(weights("shared")).isEqualTo(weights("physical"));
            DoorProcess.done(work, acme, "predict", run("shared"), table, "-o", "answers.csv");
            assertThat(Files.readAllLines(work.resolve("answers.csv"))).hasSize(601);
            DoorProcess.done(work, acme, "evaluate", run("shared"), table);
            String described =
                    DoorProcess.done(
                            work,
                            acme,
                            "data",
                            "describe",
                            "s3://warehouse/customers.parquet",
                            "--label",
                            "churn");
            assertThat(described).contains("600");
            for (String caller : List.of("brown", "nobody")) {
                try (DoorProcess other =
                        DoorProcess.start(
                                work,
                                keys(door.root(), caller, SECRET_A),
                                "data",
                                "describe",
                                table,
                                "--label",
                                "churn")) {
                    assertThat(other.exitCode()).as(other.said()).isNotZero();
                    assertThat(other.said()).contains("PermissionDenied");
                }
            }
            assertThat(door.end()).as(door.said()).isIn(0, 143);
        }
        String verified = DoorProcess.done(work, Map.of(), "door", "audit", "verify", "" + log());
        assertThat(verified).contains("the log is what was written");
        String shown = DoorProcess.done(work, Map.of(), "door", "audit", "show", "" + log());
        assertThat(shown).contains("GetObject customers.csv", "denied", "SignatureDoesNotMatch");
        assertThat(found()).as("what belongs to others").isEmpty();
        try (Stream<Path> left = Files.list(work.resolve("tmp"))) {
            assertThat(left.filter(path -> ("" + path).contains("medley-door"))).isEmpty();
        }
    }

    private String run(String job) throws Exception {
        try (Stream<Path> runs = Files.list(work.resolve("runs"))) {
            return runs.filter(path -> path.getFileName().toString().startsWith(job + "-"))
                    .findFirst()
                    .orElseThrow()
                    .toString();
        }
    }

    private byte[] weights(String job) throws Exception {
        try (Stream<Path> files = Files.walk(Path.of(run(job)).resolve("model"))) {
            return Files.readAllBytes(
                    files.filter(path -> path.toString().endsWith(".safetensors"))
                            .findFirst()
                            .orElseThrow());
        }
    }

    /** Files below the work's folder that hold a canary, also packed ones. */
    private List<String> found() throws Exception {
        List<String> found = new ArrayList<>();
        List<Path> tables = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        Files.walkFileTree(
                work,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws java.io.IOException {
                        String text =
                                new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                        seen.add(1);
                        if (text.contains(OTHERS) || text.contains(MASKED)) {
                            found.add(file.toString());
                        }
                        if (text.startsWith("PAR1")) {
                            tables.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        assertThat(seen).hasSizeGreaterThan(20);
        assertThat(tables).isNotEmpty(); // The copy that describe made.
        Path scratch = Files.createTempDirectory(folder, "scan");
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            for (Path table : tables) {
                String rows =
                        "" + db.rows("SELECT * FROM read_parquet(" + DuckDb.text("" + table) + ")");
                assertThat(rows).contains("city");
                if (rows.contains(OTHERS) || rows.contains(MASKED)) {
                    found.add(table.toString());
                }
            }
        }
        return found;
    }

    @Test
    void shouldSeeInTheAuditWhatACrashCutOff() throws Exception {
        try (DoorProcess door = door()) {
            Map<String, String> acme = keys(door.root(), "acme", SECRET_A);
            DoorProcess.done(
                    work,
                    acme,
                    "data",
                    "describe",
                    "s3://warehouse/customers.csv",
                    "--label",
                    "churn");
            door.kill();
        }
        DoorProcess.done(work, Map.of(), "door", "audit", "verify", "" + log());
        Files.writeString(log(), "{\"number\":99,\"torn", java.nio.file.StandardOpenOption.APPEND);
        try (DoorProcess verify =
                DoorProcess.start(work, Map.of(), "door", "audit", "verify", "" + log())) {
            assertThat(verify.exitCode()).isEqualTo(3);
            assertThat(verify.said()).contains("changed, or torn by a power failure");
        }
        try (DoorProcess door = door()) {
            door.root();
            door.end();
        }
        String verified = DoorProcess.done(work, Map.of(), "door", "audit", "verify", "" + log());
        assertThat(verified).contains("1 torn lines are noted", "the log is what was written");
    }

    @Test
    void shouldServeAClientOfAmazonsFromPython() throws Exception {
        Process there =
                new ProcessBuilder("python3", "-c", "import boto3")
                        .redirectErrorStream(true)
                        .start();
        there.getInputStream().readAllBytes();
        assumeTrue(
                there.waitFor() == 0,
                "skipped: no boto3 for python3; 'pip install boto3' puts it there");
        try (DoorProcess door = door()) {
            String script =
                    """
                    import boto3, sys
                    from botocore.exceptions import ClientError
                    s3 = boto3.client("s3", region_name="us-east-1")
                    print([b["Name"] for b in s3.list_buckets()["Buckets"]])
                    print([o["Key"] for o in s3.list_objects_v2(Bucket="warehouse")["Contents"]])
                    body = s3.get_object(Bucket="warehouse", Key="customers.csv")["Body"].read()
                    print(len(body.splitlines()), b"CANARY" in body)
                    s3.download_file("warehouse", "customers.parquet", "boto.parquet")
                    part = s3.get_object(Bucket="warehouse", Key="customers.csv", Range="bytes=0-5")
                    print(part["Body"].read())
                    for call in (lambda: s3.get_object(Bucket="warehouse", Key="other.csv"),
                                 lambda: s3.put_object(Bucket="warehouse", Key="a", Body=b"x")):
                        try:
                            call()
                        except ClientError as e:
                            print(e.response["Error"]["Code"])
                    url = s3.generate_presigned_url(
                        "get_object", Params={"Bucket": "warehouse", "Key": "customers.csv"})
                    import urllib.request, urllib.error
                    try:
                        urllib.request.urlopen(url)
                    except urllib.error.HTTPError as e:
                        print(e.code)
                    """;
            ProcessBuilder builder =
                    new ProcessBuilder("python3", "-c", script).redirectErrorStream(true);
            builder.directory(work.toFile());
            builder.environment().putAll(keys(door.root(), "acme", SECRET_A));
            Process process = builder.start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said.lines())
                    .containsExactly(
                            "['warehouse']",
                            "['customers.csv', 'customers.parquet']",
                            "601 False",
                            "b'tenant'",
                            "NoSuchKey",
                            "MethodNotAllowed",
                            "403");
            door.end();
        }
    }
}
