package dev.medley.base;

/** The only reader of the machine's clocks. */
enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
