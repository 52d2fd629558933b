package dev.medley.base.time;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Reads the machine's clocks; nothing else does. */
enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long nowNs() {
        return System.nanoTime();
    }

    @Override
    public long awakeNs() {
        return Waking.TIME.at(System.nanoTime());
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    /** Begins to tick when somebody asks first. */
    private static final class Waking {
        private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);

        /** Short beside three heartbeats, long beside what a busy machine lets a thread wait. */
        private static final long GAP_NS = TimeUnit.MILLISECONDS.toNanos(300);

        static final WakingTime TIME = new WakingTime(System.nanoTime(), GAP_NS);

        static {
            Thread ticking = new Thread(Waking::tick, "waking-time");
            ticking.setDaemon(true);
            ticking.setPriority(Thread.MAX_PRIORITY);
            ticking.start();
        }

        private Waking() {}

        private static void tick() {
            while (true) {
                TIME.tick(System.nanoTime());
                LockSupport.parkNanos(TICK_NS);
            }
        }
    }
}
