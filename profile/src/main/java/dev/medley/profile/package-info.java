/** Under construction. */
package dev.medley.profile;
