package dev.medley.serving.grpc;

import com.linecorp.armeria.common.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Reads and writes the time that a caller of gRPC gives, in the header {@code grpc-timeout}. */
public final class GrpcTimeout {
    /** The header. */
    public static final String HEADER = "grpc-timeout";

    private static final long MOST_DIGITS = 100_000_000L;

    private GrpcTimeout() {}

    /** Nanoseconds, at most {@code most}, which it is where nothing is said that can be read. */
    public static long ofNs(HttpHeaders headers, long most) {
        @Nullable String said = headers.get(HEADER);
        if (said == null || said.length() < 2 || said.length() > 9) {
            return most;
        }
        long unit =
                switch (said.charAt(said.length() - 1)) {
                    case 'H' -> 3_600_000_000_000L;
                    case 'M' -> 60_000_000_000L;
                    case 'S' -> 1_000_000_000L;
                    case 'm' -> 1_000_000L;
                    case 'u' -> 1_000L;
                    case 'n' -> 1L;
                    default -> 0;
                };
        try {
            long count = Long.parseLong(said.substring(0, said.length() - 1));
            boolean isLonger = unit == 0 || count > most / unit;
            return isLonger ? most : Math.max(1, count * unit);
        } catch (NumberFormatException e) {
            return most;
        }
    }

    /** The header's value for so many nanoseconds. */
    public static String written(long ns) {
        long us = Math.max(1, ns / 1000);
        return us < MOST_DIGITS ? us + "u" : us / 1000 + "m";
    }
}
