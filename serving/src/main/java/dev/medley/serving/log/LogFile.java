package dev.medley.serving.log;

import dev.medley.base.Json;
import dev.medley.data.table.RowsFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of the log while it is written: it has its name when it is whole. */
sealed interface LogFile {
    /** Bytes so far, about. */
    long bytes();

    /** Adds a row. */
    void add(LogRow row) throws IOException;

    /** Has what was added on the disk; false for a format that cannot have parts of it there. */
    boolean flush() throws IOException;

    /** Makes it whole under its name. */
    void finish(Path whole) throws IOException;

    /** Leaves it as it is. */
    void abandon();

    /** Begins one. */
    static LogFile begin(LogOptions.Format format, Path part) throws IOException {
        return switch (format) {
            case JSONL -> new Lines(part);
            case PARQUET -> new Table(part);
        };
    }

    /** JSON, a row a line; a part of it can be read, too. */
    final class Lines implements LogFile {
        private final Path part;
        private final OutputStream file;
        private final BufferedWriter writer;
        private long bytes;

        Lines(Path part) throws IOException {
            this.part = part;
            file = Files.newOutputStream(part, StandardOpenOption.CREATE_NEW);
            writer = new BufferedWriter(new OutputStreamWriter(file, StandardCharsets.UTF_8));
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void add(LogRow row) throws IOException {
            String line = Json.line(row);
            writer.write(line);
            writer.write('\n');
            bytes += line.length() + 1;
        }

        @Override
        public boolean flush() throws IOException {
            writer.flush();
            return true;
        }

        @Override
        public void finish(Path whole) throws IOException {
            writer.close();
            move(part, whole);
        }

        @Override
        public void abandon() {
            try {
                file.close(); // Not the writer, which would write first.
            } catch (IOException e) {
                return; // It has been said before that it cannot be written.
            }
        }
    }

    /** Gives a file its name when its bytes are on the disk. */
    private static void move(Path part, Path whole) throws IOException {
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(part, whole);
    }

    /** Parquet, which is held in memory until it is written as a whole. */
    final class Table implements LogFile {
        private final Path part;
        private final RowsFile rows;
        private long bytes;

        Table(Path part) throws IOException {
            this.part = part;
            rows = RowsFile.parquet(LogRow.COLUMNS, part);
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void add(LogRow row) throws IOException {
            Object[] values = row.values();
            rows.add(values);
            for (Object value : values) {
                bytes += value instanceof String text ? text.length() : Double.BYTES;
            }
        }

        @Override
        public boolean flush() {
            return false;
        }

        @Override
        public void finish(Path whole) throws IOException {
            rows.finish();
            move(part, whole);
        }

        @Override
        public void abandon() {
            rows.close();
        }
    }
}
