package dev.medley.cli.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands about shared tables say, and what they say to mistakes. */
@Tag("real")
class DoorCommandTest {
    @TempDir private Path folder;

    private String policies;
    private String log;

    @BeforeEach
    void make() throws Exception {
        Files.writeString(folder.resolve("t.csv"), "id,tenant\n1,acme\n2,acme\n3,CANARY-B\n");
        policies =
                Files.writeString(
                                folder.resolve("p.yaml"),
                                """
                                bucket: warehouse
                                tables:
                                  things: {files: t.csv, rows: row.tenant == caller.tenant}
                                  closed: {files: t.csv}
                                callers:
                                  acme: {attributes: {tenant: acme}}
                                """)
                        .toString();
        log = folder.resolve("p.audit.jsonl").toString();
    }

    @Test
    void shouldTellWhoSeesWhatWithoutValues() {
        Said said = Said.when("door", "check", policies);
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out())
                .contains("allow rows where row.tenant == caller.tenant; 2 of 2 columns")
                .contains("deny  no rows of table closed are allowed to anybody")
                .doesNotContain("CANARY");
        assertThat(said.err()).contains("acme has no secret");
    }

    @Test
    void shouldWriteAnExtractForAnAdministratorAndRecordIt() throws Exception {
        Path target = folder.resolve("own.csv");
        Said said =
                Said.when("door", "read", policies, "things", "--as", "acme", "-o", "" + target);
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("2 rows");
        assertThat(Files.readString(target)).isEqualTo("id,tenant\n1,acme\n2,acme\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-------");
        Said denied =
                Said.when("door", "read", policies, "closed", "--as", "acme", "-o", "" + target);
        assertThat(denied.exitCode()).isEqualTo(2);
        assertThat(denied.err()).contains("acme may not read closed");
        Said shown = Said.when("door", "audit", "show", log);
        assertThat(shown.out())
                .contains("administrator ", "read as acme", "written, 2 rows", "denied");
        Said verified = Said.when("door", "audit", "verify", log);
        assertThat(verified.exitCode()).isZero();
        String head = verified.out().lines().filter(l -> l.startsWith("head ")).findFirst().get();
        assertThat(
                        Said.when("door", "audit", "verify", log, "--head", head.substring(5))
                                .exitCode())
                .isZero();
        Files.move(Path.of(log), Path.of(log + ".000001"));
        Said trimmed = Said.when("door", "audit", "trim", log, "--keep", "1");
        assertThat(trimmed.out()).as(trimmed.err()).startsWith("0 files are removed; head ");
        assertThat(Said.when("door", "audit", "verify", log).out()).contains("in 2 files");
        Files.move(Path.of(log + ".000001"), Path.of(log), StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(
                Path.of(log), Files.readString(Path.of(log)).replaceFirst("things", "thongs"));
        Said broken = Said.when("door", "audit", "verify", log);
        assertThat(broken.exitCode()).isEqualTo(3);
        assertThat(broken.out()).contains("is not what was written");
        Said refused =
                Said.when("door", "read", policies, "things", "--as", "acme", "-o", "" + target);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains("Keep it to be looked at").hasLineCount(1);
    }

    @Test
    void shouldSayOneThingToEachMistake() {
        String target = folder.resolve("x.csv").toString();
        String[][] mistakes = {
            {"no such file of policies", "door", "check", folder + "/none.yaml"},
            {
                "did you mean acme?",
                "door",
                "read",
                policies,
                "things",
                "--as",
                "acne",
                "-o",
                target
            },
            {
                "did you mean things?",
                "door",
                "read",
                policies,
                "thing",
                "--as",
                "acme",
                "-o",
                target
            },
            {
                "ends in .parquet or .csv",
                "door",
                "read",
                policies,
                "things",
                "--as",
                "acme",
                "-o",
                "x"
            },
            {"no caller has a secret", "door", "serve", policies},
            {"in TLS alone", "door", "serve", policies, "--listen", "0.0.0.0:0"},
            {"belong together", "door", "serve", policies, "--tls-cert", policies},
            {"no such log", "door", "audit", "verify", folder + "/none"},
            {"a head is NUMBER:HASH", "door", "audit", "verify", policies, "--head", "12"},
            {"give 1 to 1,000,000", "door", "audit", "show", policies, "--last", "0"},
            {"keep 1 full file", "door", "audit", "trim", policies, "--keep", "0"},
            {"no such log", "door", "audit", "trim", folder + "/none", "--keep", "1"},
            {"--audit-mb 0", "door", "serve", policies, "--audit-mb", "0"},
            {"--audit-keep 0", "door", "serve", policies, "--audit-keep", "0"},
        };
        for (String[] each : mistakes) {
            Said said = Said.when(java.util.Arrays.copyOfRange(each, 1, each.length));
            assertThat(said.exitCode()).as(each[0] + said.err()).isEqualTo(2);
            assertThat(said.err()).contains(each[0]).hasLineCount(1);
        }
    }
}
