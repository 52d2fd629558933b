package dev.medley.tenant.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The chain of the audit goes on from file to file, and shows what is missing of it. */
@Tag("real")
class AuditRotationTest {
    private static final AuditAsk ASK =
            new AuditAsk("acme", "get customers.parquet", "customers", "p1");
    private static final AuditRotation SMALL = new AuditRotation(2500, Integer.MAX_VALUE);
    private static final long DAY_MS = 24L * 60 * 60 * 1000;

    @TempDir private Path folder;
    private long laterMs;

    private final Clock clock =
            new Clock() {
                @Override
                public long nowNs() {
                    return Clock.system().nowNs();
                }

                @Override
                public long wallMillis() {
                    return Clock.system().wallMillis() + laterMs;
                }
            };

    private Path file() {
        return folder.resolve("audit.jsonl");
    }

    private Path full(int number) {
        return folder.resolve("audit.jsonl.00000" + number);
    }

    private AuditLog open(AuditRotation rotation) throws IOException {
        return AuditLog.open(file(), rotation, clock, entry -> {});
    }

    /** A log of so many full files and one more. */
    private void write(int full) throws IOException {
        try (AuditLog log = open(SMALL)) {
            while (!Files.exists(full(full))) {
                long began = log.began(ASK, "acme reads its own rows");
                log.ended(began, ASK, 3, 400, "sent");
            }
            log.denied(0, ASK, "no policy lets it");
        }
    }

    private AuditCheck check() throws IOException {
        return AuditCheck.of(file());
    }

    @Test
    void shouldGoOnInANewFileThatSaysWhatItFollows() throws Exception {
        write(3);
        AuditCheck check = check();
        assertThat(check.broken()).isNull();
        assertThat(check.files()).isEqualTo(4);
        assertThat(check.entries()).isEqualTo(check.head().number());
        List<String> before = Files.readAllLines(full(2));
        AuditEntry last = AuditLine.read(before.get(before.size() - 1).getBytes()).entry();
        AuditLine.Read first = AuditLine.read(Files.readAllLines(full(3)).get(0).getBytes());
        assertThat(first.entry().number()).isEqualTo(last.number() + 1);
        assertThat(first.entry().why())
                .isEqualTo("goes on from audit.jsonl.000002, whose last entry is " + last.number());
        assertThat(first.entry().outcome()).endsWith(first.entry().previous());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        List<Long> told = new ArrayList<>();
        AuditLog.open(file(), SMALL, clock, entry -> told.add(entry.number())).close();
        assertThat(told).hasSize((int) check.entries()).isSorted();
    }

    @Test
    void shouldFindFilesThatAreMissingCutOrPutElsewhere() throws Exception {
        write(3);
        for (int number = 1; number <= 3; number++) {
            Path away = Files.move(full(number), folder.resolve("away"));
            String expected =
                    number == 1 ? "no entry says that those before were removed" : "is missing";
            assertThat(check().broken()).as("file %d", number).contains(expected);
            assertThatThrownBy(() -> open(SMALL))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(expected);
            Files.move(away, full(number));
            byte[] whole = Files.readAllBytes(full(number));
            for (int cut : new int[] {0, 1, 200, whole.length / 2, whole.length - 1}) {
                Files.write(full(number), Arrays.copyOf(whole, cut));
                assertThat(check().broken()).as("%d, %d bytes", number, cut).isNotNull();
            }
            Files.write(full(number), whole);
        }
        Path away = Files.move(full(1), folder.resolve("away"));
        Files.move(full(2), full(1));
        Files.move(away, full(2));
        assertThat(check().broken()).isNotNull();
    }

    @Test
    void shouldFindThatItsLastFileIsMissing() throws Exception {
        write(2);
        Files.delete(file());
        assertThat(check().broken()).contains("changed or cut off");
        assertThatThrownBy(() -> open(SMALL)).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldGoOnWhereItWasKilledBetweenTwoFiles() throws Exception {
        write(1);
        byte[] line = Files.readAllBytes(file());
        for (int bytes = -1; bytes < 400; bytes = bytes < 1 ? bytes + 1 : bytes + 90) {
            // The name was given; the new file is there; its first line is there in part.
            List<String> before = Files.readAllLines(full(1));
            AuditLine.Read last = AuditLine.read(before.get(before.size() - 1).getBytes());
            Files.writeString(
                    AuditLog.headFile(file()),
                    "%018d:%s%n".formatted(last.entry().number(), last.hash()));
            Files.delete(file());
            if (bytes >= 0) {
                Files.write(file(), Arrays.copyOf(line, bytes));
            }
            Path link = folder.resolve("link.jsonl");
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, file().getFileName());
            }
            if (bytes <= 0) {
                assertThat(AuditCheck.of(link).broken()).isNull();
            }
            try (AuditLog log = AuditLog.open(link, SMALL, clock, entry -> {})) {
                log.denied(0, ASK, "after the kill");
            }
            AuditCheck check = check();
            assertThat(check.broken()).as("after %d bytes", bytes).isNull();
            assertThat(check.torn()).isEqualTo(bytes > 0 ? 1 : 0);
            assertThat(check.files()).isEqualTo(2);
        }
    }

    @Test
    void shouldRemoveOldFilesWithANoteAlone() throws Exception {
        write(4);
        byte[] first = Files.readAllBytes(full(1));
        AuditHead early;
        try (AuditLog log = open(SMALL)) {
            early = log.head();
            assertThat(log.removeOldest(1)).as("of today").isZero();
        }
        laterMs = DAY_MS;
        try (AuditLog log = open(SMALL)) {
            assertThat(log.removeOldest(3)).isEqualTo(1);
        }
        assertThat(full(1)).doesNotExist();
        AuditCheck check = check();
        assertThat(check.broken()).isNull();
        assertThat(check.removed()).isPositive();
        assertThat(check.entries() + check.removed()).isEqualTo(check.head().number());
        assertThat(AuditCheck.of(file(), early, entry -> {}).broken()).isNull();
        AuditHead gone = new AuditHead(1, "a".repeat(64));
        assertThat(AuditCheck.of(file(), gone, entry -> {}).broken())
                .contains("entry 1, which the head names, was removed");
        Files.write(full(1), first);
        assertThat(check().broken()).as("killed between the note and the removal").isNull();
        Files.delete(full(1));
        Files.move(full(2), folder.resolve("away"), StandardCopyOption.ATOMIC_MOVE);
        assertThat(check().broken()).contains("no entry says that those before were removed");
    }

    @Test
    void shouldKeepSoManyFilesByItself() throws Exception {
        write(3);
        laterMs = DAY_MS;
        try (AuditLog log = open(new AuditRotation(1000, 2))) {
            while (!Files.exists(full(5))) {
                log.denied(0, ASK, "no policy lets it");
            }
        }
        assertThat(full(1)).doesNotExist();
        assertThat(full(2)).doesNotExist();
        assertThat(full(3)).as("2 are full since").doesNotExist();
        assertThat(full(4)).exists();
        assertThat(check().broken()).isNull();
    }

    /** A door goes on to write while {@code door audit} reads, whichever entry it is at. */
    @Test
    void shouldBeReadWhileItGoesOnInNewFiles() throws Exception {
        write(2);
        long before = check().head().number();
        for (long pause : new long[] {1, before / 2, before}) {
            try (AuditLog log = open(SMALL)) {
                List<Long> told = new ArrayList<>();
                AuditCheck check =
                        AuditCheck.of(
                                file(),
                                null,
                                entry -> {
                                    told.add(entry.number());
                                    if (entry.number() == pause) {
                                        fillAnother(log);
                                    }
                                });
                assertThat(check.broken()).as("paused at %d", pause).isNull();
                assertThat(told).isSorted().doesNotHaveDuplicates().hasSize((int) check.entries());
                assertThat(check.head().number()).isGreaterThanOrEqualTo(before);
            }
        }
    }

    /** Files that are removed with a note while it is read are as good as removed before. */
    @Test
    void shouldBeReadWhileItsOldestFilesAreRemoved() throws Exception {
        for (long at : new long[] {1, 4, 11}) {
            write(5);
            laterMs += 2 * DAY_MS;
            try (AuditLog log = open(SMALL)) {
                int[] calls = new int[1];
                AuditCheck check =
                        AuditCheck.of(
                                file(),
                                null,
                                entry -> {
                                    if (++calls[0] == at) {
                                        assertThat(log.removeOldest(1)).isPositive();
                                    }
                                });
                assertThat(check.broken()).as("removed at entry %d", at).isNull();
                assertThat(check.head()).isEqualTo(log.head());
                assertThat(check.removed() + check.entries()).isEqualTo(log.head().number());
            }
            for (Path each : AuditFiles.full(file()).values()) {
                Files.delete(each);
            }
            Files.delete(file());
            Files.delete(AuditLog.headFile(file()));
        }
    }

    private void fillAnother(AuditLog log) {
        try {
            int full = AuditFiles.full(file()).size();
            while (AuditFiles.full(file()).size() == full) {
                log.denied(0, ASK, "no policy lets it");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
