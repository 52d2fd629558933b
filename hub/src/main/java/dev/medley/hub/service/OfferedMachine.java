package dev.medley.hub.service;

/**
 * Holds what a machine offers.
 *
 * @param type machines of one type are alike; its owner's word, or made of its hardware
 * @param speed measured, such as GFLOP/s; 0 where it was not
 * @param gpu empty without one
 * @param pricePerHour negative where nobody said it
 */
public record OfferedMachine(
        String type,
        double cores,
        double speed,
        long memoryBytes,
        String gpu,
        boolean spot,
        double pricePerHour) {}
