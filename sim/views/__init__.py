"""What people look at: pictures, reports, the replay page, the live page, tables and notebooks."""
