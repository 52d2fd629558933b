package dev.medley.exchange.peer;

/**
 * Measures one path by trains, each longer than the one before, and the window with them, until one
 * took {@value #ENOUGH_MS} ms to arrive. 16 KiB are enough for 4 Mbit/s. Where a path is so wide
 * that a busy process disturbs more than the path does, 1 MiB goes twice, and up to {@value #MOST}
 * trains where none of those was sure. Of the longest the fastest counts: of the sure ones if there
 * are any.
 *
 * <p>Thread: the receiver's.
 */
final class Trains {
    private static final int[] BYTES = {16 << 10, 64 << 10, 256 << 10, 1 << 20, 1 << 20};
    private static final int MOST = 9;
    private static final long ENOUGH_MS = 30;
    private static final long NS_PER_MS = 1_000_000;

    private int count;
    private int longestBytes;
    private boolean isSure;
    private boolean areEnough;
    private long bytesPerSecond;

    /** The length of a train, counted from 0. */
    static int bytes(int number) {
        return BYTES[Math.min(number, BYTES.length - 1)];
    }

    /** How many have arrived. */
    int count() {
        return count;
    }

    /** The next one has arrived. */
    void arrived(Train train) {
        boolean isLonger = bytes(count) > longestBytes;
        if (isLonger || (train.isSure() && !isSure)) {
            bytesPerSecond = train.rate();
            isSure = train.isSure();
        } else if (train.isSure() == isSure) {
            bytesPerSecond = Math.max(bytesPerSecond, train.rate());
        }
        longestBytes = bytes(count);
        count++;
        boolean isLong = train.countedNs() >= ENOUGH_MS * NS_PER_MS;
        areEnough = isLong || count == MOST || (count >= BYTES.length && isSure);
    }

    /** Whether no other train is needed. */
    boolean areEnough() {
        return areEnough;
    }

    /** The bandwidth of the path; zero where all came at once, which only says that it is wide. */
    long bytesPerSecond() {
        return bytesPerSecond;
    }
}
