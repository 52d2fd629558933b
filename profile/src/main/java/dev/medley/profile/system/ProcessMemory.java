package dev.medley.profile.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Measures the memory of this process that is in RAM. */
public final class ProcessMemory {
    private static final Path PAGES = Path.of("/proc/self/statm");
    private static final Path KERNEL_VALUES = Path.of("/proc/self/auxv");
    private static final long PAGE_SIZE_KEY = 6;
    private static final long USUAL_PAGE_BYTES = 4096;
    private static final long PAGE_BYTES = pageBytes();

    private ProcessMemory() {}

    /**
     * Resident bytes, shared ones included; the JVM's own heap where the system does not say. One
     * small file is read: some tens of microseconds, fine once a step.
     */
    public static long residentBytes() {
        try {
            return residentPages(Files.readAllBytes(PAGES)) * PAGE_BYTES;
        } catch (IOException | NumberFormatException e) {
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }

    /** The second of the numbers. */
    private static long residentPages(byte[] numbers) {
        String text = new String(numbers, StandardCharsets.ISO_8859_1);
        int start = text.indexOf(' ') + 1;
        return Long.parseLong(text.substring(start, text.indexOf(' ', start)));
    }

    /** The kernel hands every process a list of keys and values; one is the size of a page. */
    private static long pageBytes() {
        try {
            ByteBuffer values =
                    ByteBuffer.wrap(Files.readAllBytes(KERNEL_VALUES))
                            .order(ByteOrder.nativeOrder());
            while (values.remaining() >= 2 * Long.BYTES) {
                long key = values.getLong();
                long value = values.getLong();
                if (key == PAGE_SIZE_KEY) {
                    return value;
                }
            }
            return USUAL_PAGE_BYTES;
        } catch (IOException e) {
            return USUAL_PAGE_BYTES;
        }
    }
}
