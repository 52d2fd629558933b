package dev.medley.store.image;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.store.shard.InputFiles;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Path;

/**
 * One IDX file of unsigned bytes, as MNIST is published: two zero bytes, the type, the number of
 * dimensions, their lengths as big-endian ints, the values.
 */
final class IdxFile implements AutoCloseable {
    private static final int UNSIGNED_BYTES = 0x08;

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
        for (int i = 0; i < dimensions; i++) {
            shape[i] = in.readInt();
            check(shape[i] > 0, "%s: dimension %d has length %d", file, i, shape[i]);
        }
        return shape;
    }

    Path file() {
        return file;
    }

    int length(int dimension) {
        return shape[dimension];
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
