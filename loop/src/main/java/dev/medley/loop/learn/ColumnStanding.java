package dev.medley.loop.learn;

import dev.medley.loop.monitor.Standing;

/** Tells where the monitor of one column stands. */
public record ColumnStanding(String column, Standing standing) {}
