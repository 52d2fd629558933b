package dev.medley.data.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.InputFiles;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Reads an IDX file of unsigned bytes, as MNIST is published. The file has two zero bytes, the
 * type, the number of dimensions, their lengths as big-endian ints, and the values.
 */
final class IdxFile implements AutoCloseable {
    private static final int UNSIGNED_BYTES = 0x08;
    private static final int LONGEST = Integer.MAX_VALUE - 8;
    private static final int MOST_PIXELS = 100_000_000;

    /** Deflate makes no more of one byte. */
    private static final int MOST_OF_GZIP = 1032;

    private final Path file;
    private final DataInputStream in;
    private final int[] shape;

    private IdxFile(Path file, DataInputStream in, int[] shape) {
        this.file = file;
        this.in = in;
        this.shape = shape;
    }

    /** Opens a file that must have {@code dimensions} dimensions: 1 for labels, 3 for images. */
    static IdxFile open(Path file, int dimensions) {
        try {
            DataInputStream in = new DataInputStream(InputFiles.open(file));
            try {
                return new IdxFile(file, in, shape(file, in, dimensions));
            } catch (IOException | ConfigException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    private static int[] shape(Path file, DataInputStream in, int dimensions) throws IOException {
        int magic = in.readInt();
        int expected = UNSIGNED_BYTES << 8 | dimensions;
        check(
                magic == expected,
                "%s: begins with 0x%08x, but an IDX file of %s begins with 0x%08x: is it the right"
                        + " file?",
                file,
                magic,
                dimensions == 1 ? "labels" : "images",
                expected);
        int[] shape = new int[dimensions];
        long[] claimed = new long[dimensions];
        double values = 1;
        for (int i = 0; i < dimensions; i++) {
            claimed[i] = Integer.toUnsignedLong(in.readInt());
            check(claimed[i] > 0, "%s: its header says that dimension %d has no length", file, i);
            shape[i] = (int) Math.min(LONGEST, claimed[i]);
            values *= claimed[i];
        }
        requireRoom(file, claimed, values);
        return shape;
    }

    /**
     * A header is nothing but a claim: what it says has to be in the file, so far as its length can
     * tell, and one image, or all labels, in an array.
     */
    private static void requireRoom(Path file, long[] claimed, double values) throws IOException {
        double bytes = Files.size(file);
        int header = Integer.BYTES * (1 + claimed.length);
        double most = InputFiles.isGzip(file) ? bytes * MOST_OF_GZIP : bytes - header;
        check(
                values <= most,
                "%s: its header says %s values, and it has no more than %,.0f: it was cut"
                        + " off, or is no IDX file; fetch it again",
                file,
                of(claimed),
                most);
        check(
                claimed[0] <= LONGEST && values / claimed[0] <= MOST_PIXELS,
                "%s: its header says %s values: %,d images and %,d pixels each are the most",
                file,
                of(claimed),
                LONGEST,
                MOST_PIXELS);
    }

    private static String of(long[] claimed) {
        return Arrays.stream(claimed).mapToObj(Long::toString).collect(Collectors.joining(" x "));
    }

    Path file() {
        return file;
    }

    int length(int dimension) {
        return shape[dimension];
    }

    /** So many bytes of what comes next; they are read before there is room for all of them. */
    byte[] read(int count) {
        try {
            byte[] values = in.readNBytes(count);
            if (values.length < count) {
                throw new EOFException();
            }
            return values;
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    /** Fills {@code values} with what comes next. */
    void read(byte[] values) {
        try {
            in.readFully(values);
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
