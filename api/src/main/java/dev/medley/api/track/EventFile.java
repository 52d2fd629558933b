package dev.medley.api.track;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.TrackedFigure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes the figures of a run as an event file of TensorBoard: records of TFRecord (length, its
 * checksum, bytes, their checksum), each a protobuf message Event.
 *
 * <p>A disk that takes no more ends the file with one warning, and not the run. Figures are on the
 * disk at the latest two seconds after the next step.
 *
 * <p>Thread: the coordinating thread.
 */
final class EventFile implements RunObserver, AutoCloseable {
    private static final long FLUSH_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int MASK = 0xa282ead8;

    /** Numbers of fields in TensorFlow's event.proto and summary.proto, with their wire types. */
    private static final int WALL_TIME = 1 << 3 | 1;

    private static final int STEP = 2 << 3;
    private static final int FILE_VERSION = 3 << 3 | 2;
    private static final int SUMMARY = 5 << 3 | 2;
    private static final int SESSION_LOG = 7 << 3 | 2;
    private static final int SUMMARY_VALUE = 1 << 3 | 2;
    private static final int VALUE_TAG = 1 << 3 | 2;
    private static final int SIMPLE_VALUE = 2 << 3 | 5;

    /** A SessionLog of status START: events from this step on that came before are void. */
    private static final byte[] START = {1 << 3, 1};

    private final Path file;
    private final Clock clock;
    private final Consumer<String> warns;
    private @Nullable OutputStream out;
    private long flushedNs;

    private EventFile(Path file, Clock clock, Consumer<String> warns) throws IOException {
        this.file = file;
        this.clock = clock;
        this.warns = warns;
        this.out = new java.io.BufferedOutputStream(Files.newOutputStream(file));
        this.flushedNs = clock.nowNs();
    }

    /**
     * Begins a file, beside those of the same run if it is gone on with.
     *
     * @param folder of the run's event files, which is made
     * @param lastStep after which the run goes on; 0 for a new one
     * @param warns told that the file ends early
     * @throws ConfigException if the folder cannot be written
     */
    static EventFile begin(Path folder, long lastStep, Clock clock, Consumer<String> warns) {
        try {
            Files.createDirectories(folder);
            long millis = clock.wallMillis();
            String name = "events.out.tfevents.%010d.%d.medley";
            Path file =
                    folder.resolve(name.formatted(millis / 1000, ProcessHandle.current().pid()));
            for (int i = 1; Files.exists(file); i++) {
                file = folder.resolve(name.formatted(millis / 1000, i));
            }
            EventFile events = new EventFile(file, clock, warns);
            byte[] version = "brain.Event:2".getBytes(StandardCharsets.US_ASCII);
            events.write(millis, 0, FILE_VERSION, version);
            if (lastStep > 0) {
                events.write(millis, lastStep + 1, SESSION_LOG, START);
            }
            events.flush();
            return events;
        } catch (IOException e) {
            throw new ConfigException(
                    "track.tensorboard: %s cannot be written (%s): choose another folder"
                            .formatted(folder, e.getMessage()),
                    e);
        }
    }

    @Override
    public void step(StepRecord step) {
        write(step.wallMillis(), step.step(), SUMMARY, summary(TrackedFigure.of(step)));
        if (clock.nowNs() - flushedNs > FLUSH_NS) {
            flush();
        }
    }

    @Override
    public void evaluation(EvaluationRecord evaluation) {
        byte[] summary = summary(TrackedFigure.of(evaluation));
        write(evaluation.wallMillis(), evaluation.step(), SUMMARY, summary);
        flush();
    }

    @Override
    public void close() {
        flush();
        end();
    }

    private static byte[] summary(List<TrackedFigure> figures) {
        ByteArrayOutputStream summary = new ByteArrayOutputStream();
        for (TrackedFigure figure : figures) {
            byte[] tag = figure.name().getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream value = new ByteArrayOutputStream();
            bytes(value, VALUE_TAG, tag);
            value.write(SIMPLE_VALUE);
            value.writeBytes(little(Float.BYTES).putFloat((float) figure.value()).array());
            bytes(summary, SUMMARY_VALUE, value.toByteArray());
        }
        return summary.toByteArray();
    }

    private void write(long wallMillis, long step, int field, byte[] content) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        event.write(WALL_TIME);
        event.writeBytes(little(Double.BYTES).putDouble(wallMillis / 1e3).array());
        event.write(STEP);
        varint(event, step);
        bytes(event, field, content);
        frame(event.toByteArray());
    }

    private void frame(byte[] event) {
        OutputStream open = out;
        if (open == null) {
            return;
        }
        byte[] length = little(Long.BYTES).putLong(event.length).array();
        try {
            open.write(length);
            open.write(little(Integer.BYTES).putInt(masked(length)).array());
            open.write(event);
            open.write(little(Integer.BYTES).putInt(masked(event)).array());
        } catch (IOException e) {
            failed(e);
        }
    }

    private void flush() {
        try {
            flushedNs = clock.nowNs();
            if (out != null) {
                out.flush();
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private void failed(IOException e) {
        warns.accept("no more events for TensorBoard in %s: %s".formatted(file, e.getMessage()));
        end();
    }

    private void end() {
        OutputStream open = out;
        out = null;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            warns.accept("the last events for TensorBoard are not in %s".formatted(file));
        }
    }

    /** A checksum as TFRecord has it, so that one of bytes that hold checksums is no zero. */
    static int masked(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return Integer.rotateRight((int) crc.getValue(), 15) + MASK;
    }

    private static void bytes(ByteArrayOutputStream out, int field, byte[] content) {
        out.write(field);
        varint(out, content.length);
        out.writeBytes(content);
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
