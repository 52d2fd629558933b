package dev.medley.exchange;

/**
 * Where the exchange spent its time since the last call.
 *
 * @param waitingNs blocked until peers were ready or their bytes came
 * @param movingNs copying and adding
 * @param bytesSent written to peers, or handed to them through shared memory
 * @param bytesReceived read from peers
 */
public record ExchangeTimes(long waitingNs, long movingNs, long bytesSent, long bytesReceived) {
    /** Nothing done. */
    public static final ExchangeTimes NONE = new ExchangeTimes(0, 0, 0, 0);
}
