package dev.medley.connect.salesforce.fake;

/**
 * A call that came.
 *
 * @param number from 1 on
 * @param path with its query
 */
public record FakeCall(int number, String method, String path) {}
