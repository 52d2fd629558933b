package dev.medley.serving.grpc;

import com.linecorp.armeria.common.HttpHeaders;
import org.jspecify.annotations.Nullable;

/** Reads the time that a caller gives, in the header grpc-timeout. */
final class GrpcTimeout {
    private GrpcTimeout() {}

    /** Nanoseconds, at most {@code most}, which is what a caller gets that says none. */
    static long ofNs(HttpHeaders headers, long most) {
        @Nullable String said = headers.get("grpc-timeout");
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
}
