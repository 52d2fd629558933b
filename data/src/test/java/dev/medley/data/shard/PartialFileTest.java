package dev.medley.data.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class PartialFileTest {
    private static final int RECORD = 16 << 10;
    private static final int SAMPLES = 32 * 9 + 5;

    /** Blocks of 32 records, half a MiB each; the last has 5. */
    private final ShardFile file = ShardFile.ofRecords("samples", RECORD, SAMPLES);

    private final byte[] whole = new byte[SAMPLES * RECORD];
    private final List<String> asked = new ArrayList<>();

    @TempDir Path folder;

    @BeforeEach
    void create() throws IOException {
        Seeds.generator(8).nextBytes(whole);
        PartialFile.create(folder.resolve("samples"), whole.length);
    }

    @Test
    void aBlockShouldComeOnceWithTheNeighboursThatAreNotThere() throws IOException {
        try (PartialFile part = PartialFile.open(folder, file, 10)) {
            assertThat(part.has(5)).isFalse();
            assertThat(part.block(5, this::answer)).isEqualTo(block(5));
            assertThat(part.block(4, this::answer)).isEqualTo(block(4));
            assertThat(part.block(9, this::answer)).isEqualTo(block(9));
            assertThat(List.of(part.has(3), part.has(4), part.has(5), part.has(6)))
                    .containsExactly(false, true, true, false);
        }
        assertThat(asked).as("a MiB at once").containsExactly("4+2", "8+2");
    }

    /** Blocks 0 to 2 are of one shard, 3 to 5 of the next. */
    @Test
    void nothingOfTheNextShardShouldCome() throws IOException {
        try (PartialFile part = PartialFile.open(folder, file, 3)) {
            assertThat(part.block(2, this::answer)).isEqualTo(block(2));
            assertThat(part.block(4, this::answer)).isEqualTo(block(4));
            assertThat(part.block(3, this::answer)).isEqualTo(block(3));
        }
        assertThat(asked).containsExactly("2+1", "3+2");
    }

    /** As on a disk that is full. */
    @Test
    void whatCannotBeKeptShouldBeOfUseAllTheSame() throws IOException {
        try (PartialFile open = PartialFile.open(folder, file, 1)) {
            BlockOrigin closing =
                    (name, from, bytes) -> {
                        close(open);
                        return part(from, bytes);
                    };
            assertThat(open.block(2, closing)).isEqualTo(block(2));
        }
    }

    private static void close(PartialFile open) {
        try {
            open.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatCameShouldStayForTheNextRun() throws IOException {
        try (PartialFile part = PartialFile.open(folder, file, 1)) {
            assertThat(part.block(7, this::answer)).isEqualTo(block(7));
        }
        try (BlockCache cache = new BlockCache(folder, 0, this::answer)) {
            cache.open(file, 1);
            assertThat(cache.block(file, 7)).isEqualTo(block(7));
            assertThat(cache.isHere(file, 7)).isTrue();
            assertThat(cache.isHere(file, 8)).isFalse();
        }
        assertThat(asked).containsExactly("7+1");
    }

    /** As after a power failure: the list is on the disk, the block is not. */
    @Test
    void aBlockThatIsNotWhatItsChecksumSaysShouldComeAgain() throws IOException {
        try (PartialFile part = PartialFile.open(folder, file, 1)) {
            assertThat(part.block(2, this::answer)).isEqualTo(block(2));
            try (RandomAccessFile damaged =
                    new RandomAccessFile(folder.resolve("samples").toFile(), "rw")) {
                damaged.seek(file.blockStart(2) + 77);
                damaged.write(new byte[100]);
            }
            assertThat(part.block(2, this::answer)).isEqualTo(block(2));
            assertThat(part.block(2, this::answer)).isEqualTo(block(2));
        }
        assertThat(asked).containsExactly("2+1", "2+1");
    }

    /** The windows of a text overlap, and those to validate on lie in the same file. */
    @Test
    void twoSetsOfBlocksOfOneFileShouldHaveAListEach() throws IOException {
        BlockLayout layout = new BlockLayout(40, 16, Integer.MAX_VALUE);
        ShardFile windows = new ShardFile("samples", 0, 1000, 1001, layout);
        ShardFile later = new ShardFile("samples", 50_000, 1000, 1001, layout);
        try (PartialFile first = PartialFile.open(folder, windows, 1);
                PartialFile second = PartialFile.open(folder, later, 1)) {
            byte[] block = first.block(1, (name, from, bytes) -> part(from, bytes));
            assertThat(block).isEqualTo(part(16_000, 16_001));
            assertThat(second.has(1)).isFalse();
            block = second.block(2, (name, from, bytes) -> part(from, bytes));
            assertThat(block).isEqualTo(part(82_000, 8001));
            assertThat(first.has(2)).isFalse();
        }
    }

    @Test
    void whatCannotBeHadShouldBeSaidAndNothingKept() throws IOException {
        try (PartialFile part = PartialFile.open(folder, file, 1)) {
            BlockOrigin gone =
                    (name, from, bytes) -> {
                        throw new ConfigException("the store is gone");
                    };
            assertThatThrownBy(() -> part.block(1, gone)).hasMessage("the store is gone");
            assertThatThrownBy(() -> part.block(1, (name, from, bytes) -> new byte[3]))
                    .isInstanceOf(IOException.class)
                    .hasMessage("samples: 524288 bytes from 524288 on were asked for, 3 came");
            assertThat(part.has(1)).isFalse();
        }
        assertThat(Files.size(folder.resolve("samples"))).isEqualTo(whole.length);
    }

    private byte[] answer(String name, long offset, int bytes) {
        long block = file.layout().blockSamples() * (long) RECORD;
        asked.add(offset / block + "+" + (bytes + block - 1) / block);
        return part(offset, bytes);
    }

    private byte[] block(long block) {
        return part(file.blockStart(block), file.blockBytes(block));
    }

    private byte[] part(long from, int bytes) {
        return Arrays.copyOfRange(whole, (int) from, (int) from + bytes);
    }
}
