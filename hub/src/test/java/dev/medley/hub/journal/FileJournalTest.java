package dev.medley.hub.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetEntry.OfSentence;
import dev.medley.store.file.SmallDisk;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was answered for is found again, also where a disk was full meanwhile. */
@Tag("real")
class FileJournalTest {
    @TempDir Path folder;

    private static FleetEntry sentence(long number) {
        return new OfSentence(number, number, "x".repeat(997));
    }

    @Test
    void shouldGoOnOnceAFullDiskHasRoomAgain() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 1)) {
            Path hub = disk.root().resolve("hub");
            Path filler = disk.root().resolve("filler");
            Files.write(filler, new byte[300_000]);
            List<FleetEntry> kept = new ArrayList<>();
            try (FileJournal journal = FileJournal.open(hub)) {
                assertThatThrownBy(
                                () -> {
                                    for (int i = 0; i < 2_000; i++) {
                                        journal.append(sentence(i));
                                        kept.add(sentence(i));
                                    }
                                })
                        .isInstanceOf(UncheckedIOException.class);
                assertThat(kept).hasSizeGreaterThan(300);
                assertThatThrownBy(() -> journal.snapshot(List.copyOf(kept)))
                        .isInstanceOf(UncheckedIOException.class);
                Files.delete(filler);
                for (int i = 5_000; i < 5_010; i++) {
                    journal.append(sentence(i));
                    kept.add(sentence(i));
                }
            }
            assertThat(found(hub)).isEqualTo(kept);
        }
    }

    @Test
    void shouldFindWhatASnapshotAndTheLinesBehindItSay() throws Exception {
        try (FileJournal journal = FileJournal.open(folder)) {
            journal.append(sentence(1));
            journal.append(sentence(2));
            journal.snapshot(List.of(sentence(12)));
            journal.append(sentence(3));
        }
        assertThat(found(folder)).containsExactly(sentence(12), sentence(3));
        Path newest = folder.resolve("journal-1.jsonl");
        Files.writeString(newest, "{\"cut", StandardOpenOption.APPEND);
        assertThat(found(folder)).containsExactly(sentence(12), sentence(3));
    }

    /** A kill between the two files of a new generation leaves the journal alone. */
    @Test
    void shouldGoOnWithTheGenerationWhoseStateIsThere() throws Exception {
        try (FileJournal journal = FileJournal.open(folder)) {
            journal.append(sentence(1));
        }
        Files.writeString(folder.resolve("journal-1.jsonl"), "");
        assertThat(found(folder)).containsExactly(sentence(1));
        try (FileJournal journal = FileJournal.open(folder)) {
            journal.replay();
            journal.snapshot(List.of(sentence(1)));
            journal.append(sentence(2));
        }
        assertThat(found(folder)).containsExactly(sentence(1), sentence(2));
    }

    private static List<FleetEntry> found(Path hub) {
        try (FileJournal journal = FileJournal.open(hub)) {
            return journal.replay();
        }
    }
}
