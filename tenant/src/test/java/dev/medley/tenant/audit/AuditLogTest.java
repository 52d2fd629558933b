package dev.medley.tenant.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.store.file.SmallDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The audit is added to only, survives power failures and full disks, and shows any change. */
@Tag("real")
class AuditLogTest {
    private static final AuditAsk ASK =
            new AuditAsk("acme", "get customers.parquet", "customers", "p1");

    @TempDir private Path folder;

    private Path file() {
        return folder.resolve("audit.jsonl");
    }

    private AuditLog open() throws IOException {
        return AuditLog.open(file(), Clock.system(), entry -> {});
    }

    /** A log of a few requests. */
    private void write() throws IOException {
        try (AuditLog log = open()) {
            long first = log.began(ASK, "acme reads its own rows");
            log.sends(first, ASK, 3, 400);
            log.ended(first, ASK, 3, 400, "sent");
            log.denied(0, ASK, "no policy lets it");
            long second = log.began(ASK, "again");
            log.ended(second, ASK, 0, 0, "failed");
        }
    }

    private String broken() throws IOException {
        return AuditCheck.of(file()).broken();
    }

    @Test
    void shouldTellWhatIsInIt() throws Exception {
        write();
        AuditCheck check = AuditCheck.of(file());
        assertThat(check.broken()).isNull();
        assertThat(check.entries()).isEqualTo(6);
        assertThat(check.open()).isZero();
        for (String line : Files.readAllLines(file())) {
            assertThat(Json.parse(line, JsonNode.class).path("hash").asString()).hasSize(64);
        }
    }

    @Test
    void shouldFindEverySingleByteThatWasChangedRemovedOrAdded() throws Exception {
        write();
        byte[] whole = Files.readAllBytes(file());
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 1;
            Files.write(file(), changed);
            assertThat(broken()).as("byte %d changed", i).isNotNull();
            Files.write(file(), without(whole, i, i + 1));
            assertThat(broken()).as("byte %d removed", i).isNotNull();
            Files.write(file(), Arrays.copyOf(whole, i));
            assertThat(broken()).as("cut off at byte %d", i).isNotNull();
        }
        Files.write(file(), Arrays.copyOf(whole, whole.length + 1));
        assertThat(broken()).as("byte added").isNotNull();
    }

    private static byte[] without(byte[] whole, int from, int to) {
        byte[] left = Arrays.copyOf(whole, whole.length - (to - from));
        System.arraycopy(whole, to, left, from, whole.length - to);
        return left;
    }

    @Test
    void shouldFindLinesThatWereRemovedOrReordered() throws Exception {
        write();
        List<String> lines = Files.readAllLines(file());
        for (int i = 0; i < lines.size(); i++) {
            List<String> removed = new ArrayList<>(lines);
            removed.remove(i);
            Files.write(file(), removed);
            assertThat(broken()).as("line %d removed", i).isNotNull();
            for (int j = 0; j < i; j++) {
                List<String> swapped = new ArrayList<>(lines);
                swapped.set(i, lines.get(j));
                swapped.set(j, lines.get(i));
                Files.write(file(), swapped);
                assertThat(broken()).as("lines %d and %d swapped", i, j).isNotNull();
            }
        }
    }

    @Test
    void shouldFindALogThatWasWrittenAnewByAHeadKeptElsewhere() throws Exception {
        write();
        AuditHead kept = AuditCheck.of(file()).head();
        Files.delete(file());
        Files.delete(AuditLog.headFile(file()));
        write();
        assertThat(broken()).isNull();
        assertThat(AuditCheck.of(file(), kept, entry -> {}).broken())
                .isEqualTo("entry 6 is not the one that the head names");
        assertThatThrownBy(() -> AuditHead.of("6"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("NUMBER:HASH");
    }

    @Test
    void shouldNoteALineThatAPowerFailureToreWhereverItTore() throws Exception {
        write();
        byte[] whole = Files.readAllBytes(file());
        AuditHead head = AuditCheck.of(file()).head();
        byte[] next =
                AuditLine.write(
                                new AuditEntry(
                                        7,
                                        Clock.system().wallMillis(),
                                        AuditKind.BEGAN,
                                        0,
                                        ASK,
                                        "",
                                        0,
                                        0,
                                        "",
                                        head.hash()))
                        .bytes();
        for (int torn = 1; torn < next.length; torn += 7) {
            Files.write(file(), whole);
            Files.writeString(AuditLog.headFile(file()), head.toString());
            Files.write(file(), Arrays.copyOf(next, torn), StandardOpenOption.APPEND);
            assertThat(broken()).contains("torn by a power failure");
            open().close();
            AuditCheck check = AuditCheck.of(file());
            assertThat(check.broken()).as("torn after %d bytes", torn).isNull();
            assertThat(check.torn()).isEqualTo(1);
            assertThat(Files.readAllBytes(file())).startsWith(whole);
        }
        byte[] noted = Files.readAllBytes(file());
        noted[whole.length + 3] ^= 1;
        Files.write(file(), noted);
        assertThat(broken()).contains("does not note them");
    }

    @Test
    void shouldNotTakeAChangedLastLineForATornOne() throws Exception {
        write();
        byte[] whole = Files.readAllBytes(file());
        whole[whole.length - 100] ^= 1;
        Files.write(file(), whole);
        assertThatThrownBy(this::open)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("changed or cut off");
        Files.delete(AuditLog.headFile(file()));
        assertThatThrownBy(this::open).isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldSayWhichRequestsBeganAndNeverEnded() throws Exception {
        try (AuditLog log = open()) {
            log.began(ASK, "");
        }
        assertThat(AuditCheck.of(file()).open()).isEqualTo(1);
        open().close();
        AuditCheck check = AuditCheck.of(file());
        assertThat(check.open()).isZero();
        assertThat(check.lost()).isEqualTo(1);
        assertThat(Files.readString(file())).contains("began, never ended");
    }

    @Test
    void shouldLetOneWriteAtATime() throws Exception {
        try (AuditLog log = open()) {
            assertThatThrownBy(this::open)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another process writes this log");
            log.note("still", "held");
        }
        open().close();
        assertThat(broken()).isNull();
    }

    @Test
    void shouldKnowALogByAllItsNames() throws Exception {
        write();
        Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), file());
        try (AuditLog log = open()) {
            assertThatThrownBy(() -> AuditLog.open(link, Clock.system(), entry -> {}))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another process writes this log");
            Path second = Files.createLink(folder.resolve("second.jsonl"), file());
            assertThatThrownBy(() -> AuditLog.open(second, Clock.system(), entry -> {}))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("has 2 names");
            Files.delete(second);
            log.note("still", "held");
        }
        assertThat(AuditCheck.of(link).broken()).isNull();
        AuditLog.open(link, Clock.system(), entry -> {}).close();
        AuditHead kept = new AuditHead(6, AuditCheck.of(file()).head().hash());
        assertThat(AuditCheck.of(file(), AuditCheck.of(file()).head(), e -> {}).behindKept())
                .isZero();
        assertThat(AuditCheck.of(file(), kept, e -> {}).behindKept()).isEqualTo(1);
    }

    @Test
    void shouldBoundAndEscapeHostileTexts() throws Exception {
        String hostile = "a\n{\"number\":1}\r\u001b[2J\u202e\0\"\\" + "x".repeat(1 << 20);
        try (AuditLog log = open()) {
            log.denied(0, new AuditAsk(hostile, hostile, hostile, hostile), hostile);
        }
        assertThat(broken()).isNull();
        byte[] line = Files.readAllBytes(file());
        assertThat(line.length).isLessThan(AuditLine.MOST_BYTES);
        for (int i = 0; i < line.length - 1; i++) {
            assertThat(line[i]).isBetween((byte) ' ', (byte) '~');
        }
        JsonNode read = Json.parse(line, JsonNode.class);
        assertThat(read.path("caller").asString())
                .startsWith("a\n{\"number\":1}\r\u001b[2J\u202e\0\"\\xxx")
                .endsWith(" more");
    }

    @Test
    void shouldRefuseWhatItCannotWriteAndSaySoAfterwards() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            Path file = disk.root().resolve("audit.jsonl");
            Path filler = disk.root().resolve("filler");
            try (AuditLog log = AuditLog.open(file, Clock.system(), entry -> {})) {
                log.began(ASK, "");
                try {
                    Files.write(filler, new byte[4 << 20]);
                } catch (IOException e) {
                    assertThat(e).hasMessageContaining("space");
                }
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 100; i++) {
                                        log.began(ASK, "");
                                    }
                                })
                        .isInstanceOf(IOException.class);
                assertThatThrownBy(() -> log.began(ASK, "")).isInstanceOf(IOException.class);
                Files.delete(filler);
                log.began(ASK, "there is room again");
            }
            assertThat(AuditCheck.of(file).broken()).isNull();
            assertThat(Files.readString(file, StandardCharsets.US_ASCII))
                    .contains("2 entries could not be written before this one");
        }
    }
}
